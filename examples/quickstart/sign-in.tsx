// npm install https://imprint.example.com/v1/imprint-0.4.4.tgz
import type { SyntheticEvent } from "react";
import { useImprint } from "imprint-browser/react";

export function SignInForm() {
  const { run, status } = useImprint({
    environmentId: "env_…",
    endpoint: "https://imprint.example.com",
  });

  async function send(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const field = form.elements.namedItem("imprint") as HTMLInputElement;
    try {
      field.value = (await run({ surface: "sign-in" })).imprint;
    } catch (error) {
      console.warn("No imprint for this visit:", error); // the form is sent without one: your server decides
    }
    form.submit();
  }

  return (
    <form method="post" action="/sign-in" onSubmit={(event) => void send(event)}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <input name="imprint" type="hidden" defaultValue="" />
      <button disabled={status === "running"}>Sign in</button>
    </form>
  );
}
