import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type Props = { label: "Reason" | "Note"; hint?: string; value: string; onChange: (value: string) => void };

/** Reason given by an operator, stored with the action. */
export function ReasonField({ label, hint, value, onChange }: Props) {
  return (
    <Field label={label} optional hint={hint}>
      <Input maxLength={300} value={value} onText={onChange} />
    </Field>
  );
}
