import { SlidersHorizontal, X } from "lucide-react";
import Form from "next/form";
import { FILTER_NAMES, filterText, valueText } from "@/components/report/dimension-text";
import { countText } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { Button, ButtonLink } from "@/components/ui/button";
import { choiceStyle } from "@/components/ui/choice";
import { Dropdown } from "@/components/ui/dropdown";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { REASONS, REPORT_STATUSES } from "@/lib/contract/report";
import { CHOICE_FILTERS, type ChoiceFilterName, parseChoice } from "@/lib/contract/report-filters";
import { countryName } from "@/components/report/country-name";
import { REASON_COPY } from "@/components/report/reason-copy";
import {
  type FilterName,
  ownRangeIn,
  type ReportQuery,
  reportListHref,
  setFilters,
  type Span,
  SPANS,
} from "@/components/report/report-query";
import { riskWord } from "@/components/report/risk-badge";
import { instantText } from "@/components/ui/time-text";
import { FilterChoice, type Option } from "./filter-choice";
import { foreign } from "@/components/ui/foreign";

type Facet = { value: string; count?: number };
type FilterChoices = {
  /** Undefined for members who may not see places. */
  country?: readonly Facet[];
  rule: readonly Facet[];
  surface: readonly Facet[];
  connection: readonly Facet[];
  browser: readonly Facet[];
  system: readonly Facet[];
  webApps: readonly { webAppId: string; name: string }[];
};

const isChoice = (name: FilterName): name is ChoiceFilterName => CHOICE_FILTERS.some((each) => each === name);

/** A filter in words: `not Germany or France`. */
function textOf(name: FilterName, text: string, choices: FilterChoices): string {
  const chosen = isChoice(name) ? parseChoice(text) : undefined;
  if (!chosen) return filterText(name, text, choices.webApps);
  const values = chosen.values.map((value) => foreign(filterText(name, value, choices.webApps))).join(" or ");
  return chosen.isExcluded ? `not ${values}` : values;
}

const counted = (facets: readonly Facet[], text: (value: string) => string = (value) => value): Option[] =>
  facets.map(({ value, count }) => ({
    value,
    text: count === undefined ? text(value) : `${foreign(text(value))} (${countText(count)})`,
  }));

type Props = {
  path: string;
  query: ReportQuery;
  choices: FilterChoices;
  zone: string;
  /** The period that the list covers. */
  range: { from: Date; to: Date };
  children?: ReactNode;
};

function MoreFilters({ path, query, choices, zone }: Props) {
  const hidden = (["asn", "account", "device", "search"] as const).flatMap((name) =>
    query[name] === undefined ? [] : [{ name, value: query[name] }],
  );
  const choose = (name: ChoiceFilterName, options: readonly Option[]) => (
    <FilterChoice name={name} label={FILTER_NAMES[name]} chosen={query[name]} options={options} />
  );
  const own = ownRangeIn(query, zone);
  return (
    <Form action={path} className="grid gap-3 border-t p-3 sm:grid-cols-2 nav:grid-cols-4" key={JSON.stringify(query)}>
      {hidden.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="span" value={query.span} />
      <input type="hidden" name="zone" value={zone} />
      {choose(
        "risk",
        REPORT_STATUSES.map((value) => ({ value, text: riskWord(value) })),
      )}
      {choose(
        "reason",
        REASONS.map((value) => ({ value, text: REASON_COPY[value].title })),
      )}
      {choose("rule", counted(choices.rule))}
      {choose("surface", counted(choices.surface))}
      {choices.country ? choose("country", counted(choices.country, countryName)) : null}
      {choose(
        "connection",
        counted(choices.connection, (value) => valueText("connection", value)),
      )}
      {choose("browser", counted(choices.browser))}
      {choose("system", counted(choices.system))}
      {choose(
        "app",
        choices.webApps.map(({ webAppId, name }) => ({ value: webAppId, text: name })),
      )}
      {choices.country ? (
        <Field label="Address or range">
          <Input name="address" defaultValue={query.address ?? ""} placeholder="203.0.113.0/24" maxLength={60} />
        </Field>
      ) : null}
      <Field label={`From (${zone})`} optional>
        <Input type="datetime-local" name="from" defaultValue={own.from} />
      </Field>
      <Field label={`To (${zone})`} optional>
        <Input type="datetime-local" name="to" defaultValue={own.to} />
      </Field>
      <div className="flex items-end gap-2">
        <Button type="submit" variant="primary">
          Show
        </Button>
        <ButtonLink href={path}>Clear</ButtonLink>
      </div>
    </Form>
  );
}

function Chips({ path, query, choices, zone, range: { from, to } }: Props) {
  const shown = setFilters(query).filter(({ name, value }) => name !== "risk" || !isVerdict(value));
  const range = query.from === undefined ? undefined : `${instantText(from, zone)} to ${instantText(to, zone)}`;
  if (shown.length === 0 && range === undefined) return null;
  const chip = (label: string, text: string, href: string) => (
    <li key={label}>
      <Link
        href={href}
        aria-label={`Remove the filter ${label}: ${text}`}
        className="inline-flex min-h-6 items-center gap-1.5 rounded-md border bg-surface-2 px-2 text-xs break-all hover:border-border-strong"
      >
        <span className="text-fg-muted">{label}</span> {text}
        <X aria-hidden className="size-3 shrink-0" />
      </Link>
    </li>
  );
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-1.5 border-t px-3 py-2">
      {range === undefined ? null : chip("Time", range, reportListHref(path, query, { span: query.span }))}
      {shown.map(({ name, value }) =>
        chip(FILTER_NAMES[name], textOf(name, value, choices), reportListHref(path, query, { [name]: undefined })),
      )}
    </ul>
  );
}

/** A single verdict, which the links above show. */
const isVerdict = (value: string) => REPORT_STATUSES.some((status) => status === value);

/** Filters as links and one plain form: every state has a URL, and everything works without scripts. */
export function ReportFilters(props: Props) {
  const { path, query, children } = props;
  const spans = Object.keys(SPANS) as Span[];
  const isOwnRange = query.from !== undefined;
  return (
    <div className="border-b">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 p-2">
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
        <nav aria-label="Time span" className="flex flex-wrap items-center gap-1 nav:ml-auto">
          {spans.map((span) => (
            <Link
              key={span}
              href={reportListHref(path, query, { span })}
              aria-label={`${span}, the last ${SPANS[span].label}`}
              aria-current={query.span === span && !isOwnRange ? "true" : undefined}
              className={choiceStyle(query.span === span && !isOwnRange)}
            >
              {span}
            </Link>
          ))}
        </nav>
        {children}
      </div>
      <Chips {...props} />
      <Dropdown isInFlow>
        <summary className="flex h-8 items-center gap-1.5 border-t px-3 text-xs text-fg-muted hover:bg-surface-2">
          <SlidersHorizontal aria-hidden className="size-3.5" /> More filters
        </summary>
        <MoreFilters {...props} />
      </Dropdown>
    </div>
  );
}
