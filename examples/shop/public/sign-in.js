/** The page never waits longer than this for an imprint: a customer who signs in comes first. */
const TIMEOUT_MS = 4_000;

const form = document.querySelector("form[data-environment-id]");
const button = form.querySelector("button[type=submit]");
const status = form.querySelector("[role=status]");
const { environmentId, endpoint } = form.dataset;

/** The imprint of this visit, or an empty string: nothing that goes wrong here may stop the form. */
async function takeImprint() {
  try {
    // `Imprint` is the global of the component's script. It is missing when a blocker stopped the script.
    const client = Imprint.createImprint({ environmentId, endpoint: endpoint || undefined, timeoutMs: TIMEOUT_MS });
    const { imprint } = await client.run({ surface: "sign-in" });
    return imprint;
  } catch (error) {
    console.warn("no imprint for this visit:", error.code ?? error.message);
    return "";
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = "Signing in…";
  form.elements.imprint.value = await takeImprint();
  // Sends the form without asking this listener again.
  form.submit();
});

// A page that comes back from the browser's cache would still show the button as it was left.
addEventListener("pageshow", () => {
  button.disabled = false;
  status.textContent = "";
});
