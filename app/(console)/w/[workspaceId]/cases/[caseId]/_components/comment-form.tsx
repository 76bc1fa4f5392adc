"use client";

import { useRouter } from "next/navigation";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/input";
import { usePerson } from "@/components/ui/person";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";
import { useDraft } from "@/components/ui/use-draft";
import type { OfCase } from "./case-state";

type Props = { of: OfCase; comment: Action<OfCase & { text: string }, unknown> };

/** Writes a comment; Ctrl or Cmd with Enter sends it. */
export function CommentForm({ of, comment }: Props) {
  const [text, setText] = useDraft(`${of.caseId} ${usePerson() ?? ""}`);
  const { run, result, isPending } = useAction(comment);
  const router = useRouter();
  const send = () => {
    run({ ...of, text }, () => {
      setText("");
      router.refresh();
    });
  };
  return (
    <form
      className="flex flex-col gap-2 border-b px-4 py-3 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || text.trim() === "" || isPending) return;
        event.preventDefault();
        send();
      }}
    >
      <Field label="Comment" hint="Every member reads it, also those who may not see addresses. Ctrl+Enter sends it.">
        <Textarea required maxLength={4000} value={text} onText={setText} className="font-sans base:text-sm" />
      </Field>
      <Refusal result={result} />
      <div>
        <Button type="submit" isPending={isPending} disabled={text.trim() === ""}>
          Comment
        </Button>
      </div>
    </form>
  );
}
