const grouped = new Intl.NumberFormat("en-US");

/** A token amount: in decimal form if its decimals are known, and always in atomic units. */
export function Amount({ text, atomic }: { text: string | undefined; atomic: string }) {
  const units = `${grouped.format(BigInt(atomic))} atomic units`;
  if (text === undefined) return units;
  return (
    <>
      {text} <span className="text-fg-muted">({units})</span>
    </>
  );
}
