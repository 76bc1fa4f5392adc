import { pageHref } from "@/components/shell/pages";
import { buttonStyle } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";

/** Links to the evidence as a readable page and as a table. */
export function EvidenceLinks({ href }: { href: (format: "html" | "csv") => string }) {
  return (
    <>
      <DownloadLink className={buttonStyle()} href={href("html")}>
        Export evidence
      </DownloadLink>
      <DownloadLink className={buttonStyle()} href={href("csv")} aria-label="Export evidence as CSV">
        CSV
      </DownloadLink>
    </>
  );
}

/** Evidence of one visit, device, address or account. */
export const evidenceHref =
  (workspaceId: string, of: string) =>
  (format: "html" | "csv"): string =>
    `${pageHref("overview", { workspaceId })}/evidence?${new URLSearchParams({ of, format }).toString()}`;
