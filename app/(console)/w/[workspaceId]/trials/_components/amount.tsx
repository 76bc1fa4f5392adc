import { countText } from "@/components/ui/counted";
/** A token amount: in decimal form if its decimals are known, and always in atomic units. */
export function Amount({ text, atomic }: { text: string | undefined; atomic: string }) {
  const units = `${countText(BigInt(atomic))} atomic units`;
  if (text === undefined) return units;
  return (
    <>
      {text} <span className="text-fg-muted">({units})</span>
    </>
  );
}
