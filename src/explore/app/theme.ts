/** Light or dark: as the system says, until the visitor chooses. */

export type Theme = "light" | "dark";

const KEY = "hmge-theme";

export class ThemeChoice {
  readonly #listeners = new Set<(theme: Theme) => void>();
  readonly #system = matchMedia("(prefers-color-scheme: dark)");
  #chosen: Theme | undefined;

  constructor() {
    this.#chosen = storedTheme();
    this.#apply();
    this.#system.addEventListener("change", this.#tell);
  }

  get theme(): Theme {
    return this.#chosen ?? (this.#system.matches ? "dark" : "light");
  }

  toggle(): void {
    this.#chosen = this.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.#chosen);
    } catch {
      // pages from file:// may have no storage; the choice then lasts as long as the page
    }
    this.#apply();
    this.#tell();
  }

  subscribe(listener: (theme: Theme) => void): void {
    this.#listeners.add(listener);
  }

  #apply(): void {
    if (this.#chosen !== undefined) document.documentElement.dataset["theme"] = this.#chosen;
  }

  readonly #tell = (): void => {
    for (const listener of this.#listeners) listener(this.theme);
  };

  dispose(): void {
    this.#system.removeEventListener("change", this.#tell);
  }
}

function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : undefined;
  } catch {
    return undefined;
  }
}
