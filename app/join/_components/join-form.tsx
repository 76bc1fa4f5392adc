"use client";

import { useActionState } from "react";

import { Button } from "@/components/ui/button";

type Props = {
  action: (before: string | undefined, form: FormData) => Promise<string | undefined>;
  token: string;
  workspaceName: string;
};

export function JoinForm({ action, token, workspaceName }: Props) {
  const [refusal, submit, isPending] = useActionState(action, undefined);
  return (
    <form action={submit} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {refusal === undefined ? null : (
        <p role="alert" className="rounded-md bg-dec-bg px-3 py-2 text-dec">
          {refusal}
        </p>
      )}
      <Button type="submit" variant="primary" isPending={isPending}>
        <span className="min-w-0 truncate">Join {workspaceName}</span>
      </Button>
    </form>
  );
}
