const grouped = new Intl.NumberFormat("en-US");

/** An amount of a token: in its own units where its decimals are known, and always in atomic units. */
export function Amount({ text, atomic }: { text: string | undefined; atomic: string }) {
  const units = `${grouped.format(BigInt(atomic))} atomic units`;
  if (text === undefined) return units;
  return (
    <>
      {text} <span className="text-fg-muted">({units})</span>
    </>
  );
}
