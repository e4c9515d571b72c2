"""Golden values of the metrics and of logistic regression, from scikit-learn.

    python3 test/golden/make-metrics.py > test/golden/metrics.json
"""

import json
import platform

import numpy as np
import scipy
import sklearn
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

COMMAND = "python3 test/golden/make-metrics.py > test/golden/metrics.json"
rng = np.random.default_rng(20240611)


def ranking():
    """Random scores; `levels` distinct values at most, so that there are ties."""
    cases = []
    for n, share, levels in [(2, 0.5, 0), (20, 0.5, 0), (60, 0.1, 4), (60, 0.9, 2), (200, 0.3, 10), (300, 0.5, 0), (50, 0.5, 1)]:
        truth = (rng.random(n) < share).astype(int)
        truth[0], truth[1] = 1, 0
        scores = rng.normal(size=n) + truth
        if levels > 0:
            scores = np.floor(rng.random(n) * levels) - (levels // 2)
        precision, recall, _ = metrics.precision_recall_curve(truth, scores)
        taken = (scores >= np.sort(scores)[-truth.sum()]).astype(int)
        cases.append({
            "truth": truth.tolist(), "scores": scores.tolist(),
            "rocAuc": metrics.roc_auc_score(truth, scores),
            "averagePrecision": metrics.average_precision_score(truth, scores),
            "precisionRecallAuc": metrics.auc(recall, precision),
            "precision": metrics.precision_score(truth, taken),
            "recall": metrics.recall_score(truth, taken),
            "f1": metrics.f1_score(truth, taken),
        })
    return cases


def classification():
    cases = []
    for n, classes, right in [(1, 2, 1.0), (30, 2, 0.7), (50, 5, 0.4), (12, 8, 0.2), (200, 3, 0.9)]:
        truth = rng.integers(0, classes, n)
        predicted = np.where(rng.random(n) < right, truth, rng.integers(0, classes, n))
        cases.append({
            "numClasses": classes, "truth": truth.tolist(), "predicted": predicted.tolist(),
            "macroF1": metrics.f1_score(truth, predicted, average="macro", zero_division=0),
            "microF1": metrics.f1_score(truth, predicted, average="micro", zero_division=0),
            "accuracy": metrics.accuracy_score(truth, predicted),
        })
    return cases


def multi_label():
    cases = []
    for n, labels, share, wrong in [(30, 3, 0.4, 0.2), (40, 6, 0.1, 0.05), (20, 17, 0.15, 0.1), (5, 4, 0.0, 0.2)]:
        truth = (rng.random((n, labels)) < share).astype(int)
        predicted = np.where(rng.random((n, labels)) < wrong, 1 - truth, truth)
        predicted[:, 0] = 0
        cases.append({
            "numLabels": labels, "truth": truth.ravel().tolist(), "predicted": predicted.ravel().tolist(),
            "macroF1": metrics.f1_score(truth, predicted, average="macro", zero_division=0),
            "microF1": metrics.f1_score(truth, predicted, average="micro", zero_division=0),
            "accuracy": metrics.accuracy_score(truth, predicted),
        })
    return cases


def clustering():
    cases = []
    for n, classes, clusters, right in [(40, 3, 3, 0.8), (60, 5, 3, 0.5), (60, 3, 6, 0.5), (100, 4, 4, 0.0), (30, 1, 3, 0), (30, 3, 1, 0), (9, 1, 1, 0), (25, 6, 6, 1.0)]:
        truth = rng.integers(0, classes, n)
        found = np.where(rng.random(n) < right, (truth + 1) % clusters, rng.integers(0, clusters, n))
        table = metrics.cluster.contingency_matrix(truth, found)
        row, column = linear_sum_assignment(table, maximize=True)
        cases.append({
            "truth": truth.tolist(), "found": found.tolist(),
            "nmi": metrics.normalized_mutual_info_score(truth, found),
            "ari": metrics.adjusted_rand_score(truth, found),
            "accuracy": table[row, column].sum() / n,
        })
    return cases


def similarity():
    """Share of the k nearest others by cosine that have the class of a node, over all nodes."""
    n, dim, classes = 40, 3, 3
    truth = rng.integers(0, classes, n)
    vectors = (rng.normal(size=(n, dim)) + np.eye(classes)[truth]).astype(np.float32)
    cosine = metrics.pairwise.cosine_similarity(vectors.astype(np.float64))
    np.fill_diagonal(cosine, -np.inf)
    order = np.argsort(-cosine, axis=1, kind="stable")
    return {
        "dim": dim, "truth": truth.tolist(), "vectors": vectors.astype(np.float64).ravel().tolist(),
        "simAtK": {str(k): float(np.mean(truth[order[:, :k]] == truth[:, None])) for k in (1, 5, 10, 20)},
    }


def fit(features, target, strength):
    # newton-cg goes on until rounding hides the decrease, and warns; lbfgs ends earlier, by SciPy's criterion on the value
    model = LogisticRegression(C=strength, tol=1e-10, max_iter=100000, solver="newton-cg").fit(features, target)
    return {"strength": strength, "coefficients": model.coef_.ravel().tolist(), "intercepts": model.intercept_.tolist()}


def logistic():
    cases = []
    for name, n, dim, classes in [("binary", 60, 4, 2), ("multinomial", 90, 5, 4)]:
        target = np.arange(n) % classes
        features = np.round(rng.normal(size=(n, dim)) * [1, 2, 0.3, 1, 5][:dim] + rng.normal(size=(classes, dim))[target], 6)
        cases.append({
            "name": name, "numClasses": classes, "dim": dim, "features": features.ravel().tolist(), "target": target.tolist(),
            "fits": [fit(features, target, strength) for strength in (0.01, 1.0, 100.0)],
        })
    n, dim, labels = 80, 5, 4
    features = np.round(rng.normal(size=(n, dim)), 6)
    target = (features @ rng.normal(size=(dim, labels)) + rng.normal(size=(n, labels)) > 0.8).astype(int)
    cases.append({
        "name": "one-vs-rest", "numLabels": labels, "dim": dim, "features": features.ravel().tolist(), "target": target.ravel().tolist(),
        "fits": [[fit(features, target[:, label], strength) for label in range(labels)] for strength in (0.1, 1.0, 10.0)],
    })
    return cases


versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
golden = {
    "command": COMMAND, "versions": versions,
    "ranking": ranking(), "classification": classification(), "multiLabel": multi_label(), "clustering": clustering(),
    "similarity": similarity(), "logistic": logistic(),
}
print("{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in golden.items()) + "\n}")
