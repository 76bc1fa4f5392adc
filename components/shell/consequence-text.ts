import { counted } from "@/components/ui/counted";
import { hourText } from "@/components/ui/time-text";

type Affected = { visits: number; isMore: boolean };
/** The first page of the list of cases. */
type Cases = { listed: number; isMore: boolean };

const visitsOf = ({ visits, isMore }: Affected): string => `${isMore ? "More than " : ""}${counted(visits, "visit")}`;
const withReports = (visits: number): string => (visits === 1 ? "and its Report are" : "and their Reports are");
const kept = (lines: readonly (string | false)[]): string[] => lines.filter((line) => line !== false);

/** The consequences of actions, one sentence each; none if they end nothing. */
export const consequenceText = {
  webApp: (recent: Affected, origin: string | undefined): string[] => [
    recent.visits === 0
      ? `No visit came from ${origin ?? "it"} in the last hour.`
      : `${visitsOf(recent)} came from ${origin ?? "it"} in the last hour. Such visits are refused from then on.`,
  ],
  retention: (beyond: Affected): string[] =>
    beyond.visits === 0
      ? ["No visit is that old: nothing is deleted now."]
      : [`${visitsOf(beyond)} ${withReports(beyond.visits)} deleted for good.`],
  key: ({ calls, since }: { calls: number; since: Date }): string[] => [
    calls === 0
      ? `It answered no call since ${hourText(since)} UTC.`
      : `It answered ${counted(calls, "call")} since ${hourText(since)} UTC. Such calls are refused from then on.`,
  ],
  member: ({ clients, cases, keys }: { clients: number; cases: Cases; keys: number }): string[] =>
    kept([
      clients > 0 &&
        `${counted(clients, "connected client")} of this person ${clients === 1 ? "is" : "are"} refused with the next call.`,
      cases.listed > 0 &&
        `${cases.isMore ? "More than " : ""}${counted(cases.listed, "open case")} ${cases.listed === 1 ? "stays" : "stay"} assigned to somebody who is gone: assign ${cases.listed === 1 ? "it" : "them"} again.`,
      keys > 0 &&
        `${counted(keys, "key")} that this person made ${keys === 1 ? "stays" : "stay"} valid. Who knows ${keys === 1 ? "it" : "them"} can read Reports: rotate ${keys === 1 ? "it" : "them"}.`,
    ]),
  view: (alerts: readonly string[]): string[] =>
    alerts.length === 0
      ? []
      : [
          `${alerts.length === 1 ? "The alert" : "The alerts"} ${alerts.join(", ")} ${alerts.length === 1 ? "watches" : "watch"} this view and ${alerts.length === 1 ? "is" : "are"} deleted with it.`,
        ],
  device: (visits: number): string[] => [`${counted(visits, "visit")} ${withReports(visits)} deleted for good.`],
  account: ({ visits, devices }: { visits: number; devices: number }): string[] => [
    visits === 0 && devices === 0
      ? "Nothing is stored under this reference. Write it exactly as your server sends it."
      : `Its links to ${counted(visits, "visit")} and ${counted(devices, "device")} are deleted for good.`,
  ],
};
