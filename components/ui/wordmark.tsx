import { Link } from "@/components/ui/link";

/** The product's name and logo. */
export function Wordmark({ href = "/" }: { href?: string }) {
  return (
    <Link href={href} className="inline-flex items-center gap-2 text-base font-semibold tracking-tight">
      <svg
        aria-hidden
        viewBox="0 0 20 20"
        className="size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      >
        <path d="M3 10a7 7 0 0 1 14 0" />
        <path d="M6 15.2A7.6 7.6 0 0 1 6 10a4 4 0 0 1 8 0v2.4" />
        <path d="M10 10v3.6c0 1.5.4 2.7 1 3.6" />
      </svg>
      Imprint
    </Link>
  );
}
