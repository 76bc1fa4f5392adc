import { Button } from "@/components/ui/button";
import { choiceStyle } from "@/components/ui/choice";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { type AskedRange, SPAN_NAMES } from "./range-query";
import { LeftOutNotice } from "./left-out-notice";
import { ownRangeIn, SPANS } from "./report-query";

type Props = {
  path: string;
  asked: AskedRange;
  zone: string;
  /** Other query parameters, which are kept. */
  others?: Record<string, string>;
};

/** Chooses the period of a page: a span, or a custom start and end. Works without scripts. */
export function RangeChoice({ path, asked, zone, others = {} }: Props) {
  const isOwn = asked.from !== undefined;
  const own = ownRangeIn(asked, zone);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <nav aria-label="Time span" className="flex flex-wrap items-center gap-1">
          {SPAN_NAMES.map((span) => (
            <Link
              key={span}
              href={`${path}?${new URLSearchParams({ ...others, span }).toString()}`}
              aria-label={`${span}, the last ${SPANS[span].label}`}
              aria-current={asked.span === span && !isOwn ? "true" : undefined}
              className={choiceStyle(asked.span === span && !isOwn)}
            >
              {span}
            </Link>
          ))}
        </nav>
        <details className="group/own relative" open={isOwn || asked.isLeftOut}>
          <summary className={choiceStyle(isOwn)}>Other</summary>
          <form action={path} className="mt-2 flex flex-wrap items-end gap-3">
            {Object.entries(others).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <input type="hidden" name="zone" value={zone} />
            <Field label={`From (${zone})`}>
              <Input type="datetime-local" name="from" defaultValue={own.from} required />
            </Field>
            <Field label={`To (${zone})`}>
              <Input type="datetime-local" name="to" defaultValue={own.to} required />
            </Field>
            <Button type="submit">Show</Button>
          </form>
        </details>
        <span className="sm:ml-auto">
          <ZoneSwitch zone={zone} />
        </span>
      </div>
      <LeftOutNotice isTime={asked.isLeftOut} shown={`last ${SPANS[asked.span].label}`} />
    </>
  );
}
