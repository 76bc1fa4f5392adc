import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

const INPUT = { required: true, maxLength: 40, autoComplete: "off", spellCheck: false, placeholder: "imp_…" } as const;

/** Form for two imprints; works without scripts. */
export function CompareForm({ path, a, b }: { path: string; a: string; b: string }) {
  return (
    <form method="get" action={path} className="mb-4 grid items-end gap-3 sm:flex sm:flex-wrap">
      <Field label="One visit" className="min-w-0 sm:w-80">
        <Input name="a" defaultValue={a} className="font-mono text-xs" {...INPUT} />
      </Field>
      <Field label="Another visit" className="min-w-0 sm:w-80">
        <Input name="b" defaultValue={b} className="font-mono text-xs" {...INPUT} />
      </Field>
      <Button type="submit">Compare</Button>
    </form>
  );
}
