import { Link } from "@/components/ui/link";

import { cn } from "./class-names";
import { CopyButton } from "./copy-button";

const HEAD_LENGTH = 12;
const TAIL_LENGTH = 4;

/** The id of a rule is shown whole, because its words say what it is: `environment.time-zone`. */
const isLong = (id: string) => id.length > HEAD_LENGTH + TAIL_LENGTH + 1 && !id.includes(".");

/** The abbreviated identifier: `imp_48fa8de1…0bbd`. */
export const shortId = (id: string): string =>
  isLong(id) ? `${id.slice(0, HEAD_LENGTH)}…${id.slice(-TAIL_LENGTH)}` : id;

/** Abbreviated on screen; assistive technology and the clipboard get the complete identifier. */
function ShortId({ value }: { value: string }) {
  return (
    <>
      {value.slice(0, HEAD_LENGTH)}
      <span className="text-[0px]">{value.slice(HEAD_LENGTH, -TAIL_LENGTH)}</span>
      <span className="before:content-['…'/'']">{value.slice(-TAIL_LENGTH)}</span>
    </>
  );
}

type IdProps = {
  value: string;
  href?: string;
  /** Shown in full. */
  isWhole?: boolean;
  /** `hover`: if the device supports hover, the button appears only on hover and focus, beside the id and over what follows. */
  copy?: "always" | "hover";
  /** Marks the main link of a table row. */
  isRowLink?: boolean;
  className?: string;
};

/** An identifier, with a button to copy it. */
export function Id({ value, href, isWhole = false, copy, isRowLink = false, className }: IdProps) {
  const isShort = !isWhole && isLong(value);
  const text = isShort ? <ShortId value={value} /> : value;
  return (
    <span
      className={cn("id base:inline-flex min-w-0 items-center gap-1 font-mono base:text-xs", className)}
      title={value}
    >
      {href ? (
        <Link
          href={href}
          className={cn(
            "underline decoration-border-strong underline-offset-3 hover:decoration-current",
            isShort && "whitespace-nowrap",
            isRowLink && "row-link",
          )}
          {...(isRowLink ? { "data-row-link": true } : {})}
        >
          {text}
        </Link>
      ) : (
        <span className={cn(isShort && "whitespace-nowrap", isWhole && "break-all")}>{text}</span>
      )}
      {copy ? (
        <CopyButton
          value={value}
          label={`Copy ${value}`}
          className={cn("-my-1", copy === "hover" && "copy-on-hover")}
        />
      ) : null}
    </span>
  );
}
