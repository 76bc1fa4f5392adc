import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type Props = { label: "Reason" | "Note"; hint?: string; value: string; onChange: (value: string) => void };

/** A line in an operator's own words, kept with what is done. */
export function ReasonField({ label, hint, value, onChange }: Props) {
  return (
    <Field label={label} optional hint={hint}>
      <Input maxLength={300} value={value} onText={onChange} />
    </Field>
  );
}
