import { ButtonLink } from "./button";

/** Paging links of a list, newest first; a link without a URL is omitted. */
export function PageLinks({ newest, older }: { newest: string | undefined; older: string | undefined }) {
  if (newest === undefined && older === undefined) return null;
  const link = (text: string, href: string | undefined) =>
    href === undefined ? null : (
      <ButtonLink size="sm" href={href}>
        {text}
      </ButtonLink>
    );
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-t px-4 py-2 print:hidden">
      {link("Newest", newest)}
      {link("Older", older)}
    </nav>
  );
}
