import { choiceStyle } from "@/components/ui/choice";
import { Link } from "@/components/ui/link";

const SPANS = { "7d": 7, "30d": 30, "90d": 90 } as const;
export type RuleSpan = keyof typeof SPANS;
const DEFAULT: RuleSpan = "30d";

const isSpan = (text: unknown): text is RuleSpan => typeof text === "string" && Object.hasOwn(SPANS, text);

export const readSpan = (parameter: unknown): RuleSpan => (isSpan(parameter) ? parameter : DEFAULT);

export const daysOf = (span: RuleSpan): number => SPANS[span];

/** The period over which rules are measured. */
export function SpanLinks({ path, span }: { path: string; span: RuleSpan }) {
  return (
    <nav aria-label="Time" className="flex gap-1">
      {(Object.keys(SPANS) as RuleSpan[]).map((each) => (
        <Link
          key={each}
          className={choiceStyle(each === span)}
          href={each === DEFAULT ? path : `${path}?span=${each}`}
          aria-label={`${each}, the last ${SPANS[each]} days`}
          {...(each === span && { "aria-current": "page" as const })}
        >
          {each}
        </Link>
      ))}
    </nav>
  );
}
