/**
 * Keeps what a person does before React has taken over the page, and does it again afterwards: without it, a press in
 * the first second of a slow page is lost, typed text is shown but unknown to its form, and a form reloads the page.
 * Runs as text in the page, so it refers to nothing outside itself.
 */
function keepEarlyInput(): void {
  type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  const STEP_MS = 50;
  const typed = new Set<Field>();
  let pressed: HTMLElement | undefined;
  let timer: number | undefined;
  // React stores an element's props on the element once it is hydrated.
  const isTakenOver = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactProps$"));
  const closest = (event: Event, selector: string): Element | undefined => {
    const found = event.target instanceof Element ? event.target.closest(selector) : null;
    // Prerendered parts are never taken over.
    return found === null || isTakenOver(found) || found.closest("[data-static]") !== null ? undefined : found;
  };
  const isField = (element: unknown): element is Field =>
    [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].some((kind) => element instanceof kind);
  const tell = (field: Field) => {
    const { value } = field;
    const prototype = Object.getPrototypeOf(field) as object; // safe: an element has one
    // React ignores an event that does not change the value which it saw last: the element's own setter tells it.
    field.value = "";
    Reflect.set(prototype, "value", value, field);
    field.dispatchEvent(new Event(field.matches("select") ? "change" : "input", { bubbles: true }));
  };
  const repeat = () => {
    for (const field of typed) {
      if (field.isConnected && !isTakenOver(field)) continue;
      typed.delete(field);
      tell(field);
    }
    if (typed.size > 0) return;
    if (pressed && isTakenOver(pressed)) {
      pressed.click();
      pressed = undefined;
    }
    if (pressed) return;
    clearInterval(timer);
    timer = undefined;
  };
  const listen = (type: string, onEvent: (event: Event) => void, capture = true) => {
    window.addEventListener(type, onEvent, { capture });
  };
  const repeatLater = () => {
    timer ??= window.setInterval(repeat, STEP_MS);
  };
  listen("click", (event) => {
    const button = closest(event, "button[type=button]");
    if (!(button instanceof HTMLElement)) return;
    pressed = button;
    repeatLater();
  });
  // React may have taken over the page just for this press.
  listen(
    "click",
    () => {
      if (pressed && isTakenOver(pressed)) pressed = undefined;
    },
    false,
  );
  listen("input", (event) => {
    const field = closest(event, "input:not([type=checkbox], [type=radio], [type=file]), textarea, select");
    if (!isField(field)) return;
    typed.add(field);
    repeatLater();
  });
  listen("submit", (event) => {
    // A form with an address works without scripts.
    if (closest(event, "form:not([action])") === undefined || !(event instanceof SubmitEvent)) return;
    event.preventDefault();
    // Also by Enter in a field. It refuses the press if it is disabled by then.
    pressed = event.submitter ?? undefined;
    repeatLater();
  });
}

/** Goes before everything that can be pressed. */
export function EarlyInput({ nonce }: { nonce: string | undefined }) {
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: `(${keepEarlyInput.toString()})()` }}
    />
  );
}
