/** The style sheet of the pages. */

export function pageStyle(): string {
  return `:root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--line:#d8dee4;--page:#fff;--panel:#f6f8fa;--accent:#0b5fa5;--warn:#9a4a00;--warn-page:#fff4e5}
@media screen and (prefers-color-scheme:dark){:root{--text:#e6e8eb;--soft:#a0a9b4;--line:#343b45;--page:#12151a;--panel:#1a1f27;--accent:#6cb6f5;--warn:#ffb968;--warn-page:#33240f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:1.5rem 1rem 3rem;background:var(--page);color:var(--text);font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0 .25rem}
h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
p{margin:.6rem 0}
a{color:var(--accent)}
.subtitle,footer,figcaption,caption{color:var(--soft)}
.subtitle{margin:0;font-size:1.05rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0;margin:1rem 0 0;font-size:.95rem}
figure{margin:1rem 0}
figure svg{display:block;width:100%;height:auto;max-width:40rem;margin:0 auto}
figcaption{font-size:.9rem;margin:.4rem auto 0;max-width:40rem}
.table{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums;min-width:min(100%,20rem)}
caption{text-align:left;font-size:.9rem;padding-bottom:.4rem}
th,td{padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;border-bottom-width:2px}
td{max-width:22rem}
.number{text-align:right;white-space:nowrap;padding-left:.5rem}
.quoted td{color:var(--soft);font-style:italic}
.numbers{display:grid;grid-template-columns:repeat(3,1fr);gap:.6rem;margin:1rem 0}
.numbers div{display:flex;flex-direction:column-reverse;background:var(--panel);border-radius:.5rem;padding:.6rem .75rem}
.numbers dt{color:var(--soft);font-size:.85rem}
.numbers dd{margin:0;font-size:1.3rem;font-weight:600;line-height:1.25}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:.25rem 2rem}
.columns table{width:100%}
.columns td{overflow-wrap:anywhere;min-width:4rem}
.columns .number{overflow-wrap:normal;min-width:0}
@media(max-width:34rem){.numbers{grid-template-columns:repeat(2,1fr)}}
pre{background:var(--panel);border-radius:.5rem;padding:.75rem;overflow-x:auto;font-size:.88rem;white-space:pre-wrap;overflow-wrap:anywhere}
code{font-family:ui-monospace,Menlo,Consolas,monospace}
.warning{background:var(--warn-page);color:var(--warn);border-left:4px solid currentColor;padding:.6rem .75rem;border-radius:.25rem}
details{margin:1rem 0}
summary{cursor:pointer;color:var(--accent)}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.9rem}
@media print{body{max-width:none;padding:0;font-size:11pt}nav{display:none}figure,tr,.numbers div{break-inside:avoid}h2{break-after:avoid}.table{overflow:visible}}`;
}
