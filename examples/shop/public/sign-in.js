/** The page never waits longer than this for an imprint: a customer who signs in comes first. */
const TIMEOUT_MS = 4_000;

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-environment-id]"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("imprint"));
const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
const { environmentId = "", endpoint } = form.dataset;

/** The imprint of this visit, or an empty string: nothing that goes wrong here may stop the form. */
async function takeImprint() {
  try {
    // The global of the component's script. It is missing when a blocker stopped the script.
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
    // Sends the form without asking this listener again.
    form.submit();
  });
});

// A page that comes back from the browser's cache would still show the button as it was left.
addEventListener("pageshow", () => {
  button.disabled = false;
  status.textContent = "";
});
