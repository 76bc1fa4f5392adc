"use client";
import { useImprint } from "imprint-browser/react";
import { useActionState } from "react";
import { signIn } from "./actions";

export default function Page() {
  const { run } = useImprint({ environmentId: "env_…", endpoint: "https://imprint.example.com" });
  const [answer, send] = useActionState(async (_: string, form: FormData) => {
    const visit = await run({ surface: "sign-in" }).catch(() => ({ imprint: "" })); // the server decides
    form.set("imprint", visit.imprint);
    return signIn(form);
  }, "");
  return (
    <form action={send}>
      <input aria-label="E-mail" name="email" type="email" required />
      <button>Sign in</button>
      <p role="status">{answer}</p>
    </form>
  );
}
