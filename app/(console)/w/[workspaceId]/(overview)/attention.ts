import { pageHref } from "@/components/shell/pages";
import { countText } from "@/components/ui/counted";
import { dateText, hourText } from "@/components/ui/time-text";
import { reportsHref } from "@/components/report/range-query";
import { REASON_COPY } from "@/components/report/reason-copy";
import { choiceText } from "@/lib/contract/report-filters";
import type { Projection } from "@/lib/metering";
import type { NewRule, Unusual } from "@/lib/visits/slices";
import { foreign } from "@/components/ui/foreign";

/** Something that needs attention. */
export type AttentionItem = {
  key: string;
  isUrgent: boolean;
  /** The item's main number. */
  figure: string;
  title: string;
  detail: string;
  href: string;
  /** An origin that the list can allow directly. */
  allow?: { webAppId: string; origin: string };
};

type Refused = { origin: string; count: number; canBeAllowed: boolean; webAppId: string; webAppName: string };
type Key = { keyId: string; name: string; state: string; isUnused: boolean; expiresAt: Date | null };
type FailingKey = { keyId: string; name: string; state: string; refused: number; answered: number; code: string };
type Shadow = { agreed: number; missed: number; wrong: number };

export type AttentionFacts = {
  workspaceId: string;
  now: Date;
  zone: string;
  unusual: readonly Unusual[];
  newRules: readonly NewRule[];
  refused: readonly Refused[];
  keys: readonly Key[];
  failingKeys: readonly FailingKey[];
  units: { used: number; limit: number | null };
  projection: Projection | undefined;
  /** Recognition of visits without their token in the last week and in the last month. */
  shadow: { week: Shadow; month: Shadow };
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SOON_DAYS = 7;
/** Share of the limit from which used units are mentioned. */
const USED_SHARE = 0.8;
const MIN_MEASURED = 50;
const FALLEN = 0.05;

const spanText = (from: Date, to: Date, zone: string) =>
  `${dateText(from, zone).replace(/ \d{4}$/, "")}, ${hourText(from, zone)} to ${hourText(to, zone)}`;

const usualText = (usual: number) =>
  usual < 0.5 ? "usually none" : `usually ${countText(Math.round(usual))} at that time`;

const keyOf = ({ from, to, visits }: Unusual) => `${from.toISOString()} ${to.toISOString()} ${visits}`;

/** Unusual reasons with the same hours and visits become one item: the first, which names the others. */
function ofUnusual({ workspaceId, zone, unusual }: AttentionFacts): AttentionItem[] {
  const first = unusual.filter((each, index) => unusual.findIndex((other) => keyOf(other) === keyOf(each)) === index);
  return first.map((burst) => {
    const { reason, from, to, visits, usual, surface, network } = burst;
    const others = unusual
      .filter((other) => other !== burst && keyOf(other) === keyOf(burst))
      .flatMap((other) => (other.reason === undefined ? [] : REASON_COPY[other.reason].title.toLowerCase()));
    const where = [
      ...others.map((text) => `also: ${text}`),
      surface && `${countText(surface.visits)} on ${surface.value}`,
      network && `${countText(network.visits)} from AS${network.value}`,
    ].filter((text) => text !== undefined);
    return {
      key: `unusual ${reason ?? "all"} ${from.toISOString()}`,
      isUrgent: reason !== undefined,
      figure: countText(visits),
      title: reason === undefined ? "Far more visits than usual" : REASON_COPY[reason].title,
      detail: [spanText(from, to, zone), usualText(usual), ...where].join(" · "),
      href: reportsHref(workspaceId, { from, to }, reason === undefined ? {} : { reason }),
    };
  });
}

function ofRefused({ workspaceId, refused }: AttentionFacts): AttentionItem[] {
  return refused.map(({ origin, count, canBeAllowed, webAppId, webAppName }) => ({
    key: `refused ${webAppId} ${origin}`,
    isUrgent: canBeAllowed && count >= 100,
    figure: countText(count),
    title: `Refused: ${origin === "" ? "requests without an Origin" : origin === "*" ? "further origins" : origin}`,
    detail: `${foreign(webAppName)}, in the last 24 hours. Their visits are not stored.`,
    href: `${pageHref("web-app", { workspaceId, webAppId })}#refused`,
    ...(canBeAllowed ? { allow: { webAppId, origin } } : {}),
  }));
}

function ofUnits({ workspaceId, units, projection }: AttentionFacts): AttentionItem[] {
  const { used, limit } = units;
  if (limit === null || (used < limit * USED_SHARE && projection?.runsOutAt === undefined)) return [];
  const isOver = used >= limit;
  return [
    {
      key: "units",
      isUrgent: isOver,
      figure: `${Math.floor((used / limit) * 100)} %`,
      title: isOver ? "All report units of this month are used" : "Report units of this month run out",
      detail: isOver
        ? "New Reports are refused with quota_exhausted until next month or a larger plan; visits are still recorded."
        : `${countText(used)} of ${countText(limit)}${projection?.runsOutAt ? `, at this rate until about ${dateText(projection.runsOutAt)}` : ""}.`,
      href: pageHref("usage", { workspaceId }),
    },
  ];
}

function ofKeys({ workspaceId, keys, now }: AttentionFacts): AttentionItem[] {
  const active = keys.filter(({ state }) => state === "active");
  const soon = active.filter(
    ({ expiresAt }) => expiresAt !== null && expiresAt.getTime() - now.getTime() < SOON_DAYS * DAY_MS,
  );
  const unused = active.filter(({ isUnused }) => isUnused);
  return [
    ...soon.map(({ keyId, name, expiresAt }) => ({
      key: `key ${keyId}`,
      isUrgent: true,
      figure: "1",
      title: `The key ${foreign(name)} expires`,
      detail: `On ${expiresAt ? dateText(expiresAt) : ""}. Requests with it are refused from then on.`,
      href: pageHref("key", { workspaceId, keyId }),
    })),
    ...(unused.length === 0
      ? []
      : [
          {
            key: "unused keys",
            isUrgent: false,
            figure: countText(unused.length),
            title: unused.length === 1 ? "A key is not used" : "Keys are not used",
            detail: `${unused.map(({ name }) => foreign(name)).join(", ")}: not used for 30 days. Revoke keys that nobody needs.`,
            href: pageHref("keys", { workspaceId }),
          },
        ]),
  ];
}

function ofFailingKeys({ workspaceId, failingKeys }: AttentionFacts): AttentionItem[] {
  return failingKeys.map(({ keyId, name, state, refused, answered, code }) => {
    const isEnded = state === "revoked" || state === "expired";
    return {
      key: `failing ${keyId}`,
      isUrgent: isEnded || refused > answered,
      figure: countText(refused),
      title: isEnded
        ? `The key ${foreign(name)} is ${state}, and still used`
        : `Calls with the key ${foreign(name)} are refused`,
      detail: `In the last 24 hours, mostly with ${code}; ${answered === 0 ? "none was" : `${countText(answered)} were`} answered.`,
      href: pageHref("key", { workspaceId, keyId }),
    };
  });
}

function ofShadow({ workspaceId, shadow: { week, month } }: AttentionFacts): AttentionItem[] {
  const shareOf = ({ agreed, missed, wrong }: Shadow) => agreed / Math.max(1, agreed + missed + wrong);
  const measured = week.agreed + week.missed + week.wrong;
  if (measured < MIN_MEASURED || shareOf(week) > shareOf(month) - FALLEN) return [];
  return [
    {
      key: "agreement",
      isUrgent: false,
      figure: `${Math.round(shareOf(week) * 100)} %`,
      title: "Fewer devices are recognised without their token",
      detail: `In the last 7 days, ${Math.round(shareOf(month) * 100)} % in the last 30.`,
      href: pageHref("recognition", { workspaceId }),
    },
  ];
}

/** End of the current hour, at which the week for new rules ends. */
const hourEnd = (now: Date): number => Math.floor(now.getTime() / HOUR_MS + 1) * HOUR_MS;

const ofNewRules = ({ workspaceId, newRules, now }: AttentionFacts): AttentionItem[] =>
  newRules.map(({ rule, visits }) => ({
    key: `rule ${rule}`,
    isUrgent: false,
    figure: countText(visits),
    title: `A rule began to fire: ${rule}`,
    detail: "In the last 7 days, and not in the four weeks before.",
    href: reportsHref(
      workspaceId,
      { from: new Date(hourEnd(now) - SOON_DAYS * DAY_MS), to: new Date(hourEnd(now)) },
      { rule: choiceText({ isExcluded: false, values: [rule] }) },
    ),
  }));

/** Items that need attention, most urgent first. */
export function attentionItems(facts: AttentionFacts): AttentionItem[] {
  const items = [
    ...ofUnusual(facts),
    ...ofUnits(facts),
    ...ofRefused(facts),
    ...ofFailingKeys(facts),
    ...ofKeys(facts),
    ...ofNewRules(facts),
    ...ofShadow(facts),
  ];
  return [...items.filter(({ isUrgent }) => isUrgent), ...items.filter(({ isUrgent }) => !isUrgent)];
}
