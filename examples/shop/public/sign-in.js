/** Maximum wait for an imprint: signing the customer in comes first. */
const TIMEOUT_MS = 4_000;

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-environment-id]"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("imprint"));
const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
const { environmentId = "", endpoint } = form.dataset;

/** The imprint of this visit, or an empty string: no failure here may block the form. */
async function takeImprint() {
  try {
    // Set by the component's script; missing if a blocker stopped it.
    const { Imprint } = window;
    if (!Imprint) throw new Error("the component did not load");
    const client = Imprint.createImprint({ environmentId, timeoutMs: TIMEOUT_MS, ...(endpoint && { endpoint }) });
    const { imprint } = await client.run({ surface: "sign-in" });
    return imprint;
  } catch (error) {
    console.warn("no imprint for this visit:", error);
    return "";
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = "Signing in…";
  void takeImprint().then((imprint) => {
    field.value = imprint;
    // Submits the form without calling this listener again.
    form.submit();
  });
});

// A page restored from the back/forward cache would still show the button disabled.
addEventListener("pageshow", () => {
  button.disabled = false;
  status.textContent = "";
});
