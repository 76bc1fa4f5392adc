import { buttonStyle } from "@/components/ui/button";

/** Links to the evidence as a readable page and as a table. */
export function EvidenceLinks({ href }: { href: (format: "html" | "csv") => string }) {
  return (
    <>
      <a className={buttonStyle()} href={href("html")} download>
        Export evidence
      </a>
      <a className={buttonStyle()} href={href("csv")} download aria-label="Export evidence as CSV">
        CSV
      </a>
    </>
  );
}

/** Evidence of one visit, device, address or account. */
export const evidenceHref =
  (workspaceId: string, of: string) =>
  (format: "html" | "csv"): string =>
    `/w/${workspaceId}/evidence?${new URLSearchParams({ of, format }).toString()}`;
