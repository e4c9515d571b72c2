/** Builds elements of the page. Texts are always text: nothing here reads HTML. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

/** An element with attributes and children; strings become text. `false` and undefined leave an attribute out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that calls `onClick`. */
export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}

/** Replaces the children of an element. */
export function fill(host: Element, ...children: readonly Child[]): void {
  host.replaceChildren(...children.filter((child) => child !== undefined));
}

/** A part of the page that can be removed again. */
export interface Component {
  dispose(): void;
}
