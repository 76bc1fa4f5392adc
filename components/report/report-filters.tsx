import { Search } from "lucide-react";
import Link from "next/link";

import { buttonStyle } from "@/components/ui/button";
import { choiceStyle } from "@/components/ui/choice";
import { Input } from "@/components/ui/input";
import { REPORT_STATUSES } from "@/lib/contract/report";
import { type ReportQuery, reportListHref, type Span, SPANS } from "./report-query";
import { riskWord } from "./risk-badge";

/** Filters as links and one plain form: each state has its address, and they work without scripts. */
export function ReportFilters({ path, query }: { path: string; query: ReportQuery }) {
  const spans = Object.keys(SPANS) as Span[];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b p-2">
      <nav aria-label="Verdict" className="flex flex-wrap gap-1">
        {[undefined, ...REPORT_STATUSES].map((status) => (
          <Link
            key={status ?? "all"}
            href={reportListHref(path, query, { risk: status })}
            aria-current={query.risk === status ? "true" : undefined}
            className={choiceStyle(query.risk === status)}
          >
            {status ? riskWord(status) : "All"}
          </Link>
        ))}
      </nav>
      <form action={path} role="search" className="flex min-w-0 flex-1 basis-60 gap-1 nav:ml-auto nav:max-w-96">
        {query.span === "7d" ? null : <input type="hidden" name="span" value={query.span} />}
        {query.risk ? <input type="hidden" name="risk" value={query.risk} /> : null}
        <Input
          name="search"
          type="search"
          data-search
          aria-label="Imprint or device id"
          placeholder="imp_… or dev_…"
          defaultValue={query.search ?? ""}
          key={query.search ?? ""}
          className="h-7 font-mono text-xs"
        />
        <button type="submit" aria-label="Search" className={buttonStyle({ size: "icon" })}>
          <Search aria-hidden />
        </button>
      </form>
      <nav aria-label="Time span" className="flex flex-wrap items-center gap-1">
        {spans.map((span) => (
          <Link
            key={span}
            href={reportListHref(path, query, { span })}
            aria-label={`${span}, the last ${SPANS[span].label}`}
            aria-current={query.span === span ? "true" : undefined}
            className={choiceStyle(query.span === span)}
          >
            {span}
          </Link>
        ))}
        <span className="pl-1 text-xs text-fg-muted" title="All times are in Coordinated Universal Time">
          UTC
        </span>
      </nav>
    </div>
  );
}
