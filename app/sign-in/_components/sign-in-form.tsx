"use client";

import { useActionState, useState } from "react";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type Props = { action: (before: string | undefined, form: FormData) => Promise<string | undefined>; next: string };

export function SignInForm({ action, next }: Props) {
  const [refusal, submit, isPending] = useActionState(action, undefined);
  // Kept in state: React resets a form after its action, and a mistyped address should stay for correction.
  const [email, setEmail] = useState("");
  return (
    <form action={submit} className="flex flex-col gap-4" noValidate>
      <Field label="E-mail address" error={refusal}>
        <Input name="email" type="email" autoComplete="email" required autoFocus value={email} onText={setEmail} />
      </Field>
      <input type="hidden" name="next" value={next} />
      <Button type="submit" variant="primary" isPending={isPending} className="w-full">
        {isPending ? "Sending" : "Send a sign-in link"}
      </Button>
    </form>
  );
}
