/** The form, the component, and the listener that fills the hidden field before it submits the form. */
export const page = `<!doctype html>
<html lang="en">
  <title>Sign in</title>
  <form method="post" action="/sign-in">
    <label>E-mail <input name="email" type="email" required></label>
    <input name="imprint" type="hidden">
    <button>Sign in</button>
  </form>
  <script type="module">
    import { createImprint } from "https://imprint.example.com/v1/imprint.mjs";
    const client = createImprint({ environmentId: "env_…" });
    const form = document.querySelector("form");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const visit = await client.run({ surface: "sign-in" }).catch(() => ({ imprint: "" })); // the server decides
      form.elements.imprint.value = visit.imprint;
      form.submit();
    });
  </script>
</html>`;
