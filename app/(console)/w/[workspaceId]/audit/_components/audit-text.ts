import { STATUS_TEXTS } from "@/components/case/case-status";
import { creatorName } from "@/components/shell/creator-name";
import { shortId } from "@/components/ui/id";
import { instantText } from "@/components/ui/time-text";
import { foreign } from "@/components/ui/foreign";

type Members = readonly { userId: string; email: string }[];
type Entry = { action: string; detail: Record<string, unknown> };

/** A fact in words, and the ids of the people in it. */
export type DetailLine = { text: string; people: string[] };

/** Our own identifiers, shortened for display. */
const ID = /^[a-z]+_[0-9a-f]{32}$/;
const PERSON = /^usr_[0-9a-f]{32}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Whether a text is the id of a person. */
export const isPerson = (text: string): boolean => PERSON.test(text);

function wordsOfText(text: string, members: Members): string {
  if (isPerson(text)) return creatorName(text, members);
  if (ID.test(text)) return shortId(text);
  return INSTANT.test(text) ? instantText(new Date(text)) : foreign(text);
}

function words(value: unknown, members: Members): string {
  if (Array.isArray(value)) return value.map((each) => words(each, members)).join(", ") || "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value === "" ? "none" : wordsOfText(value, members);
  return typeof value === "number" ? String(value) : "–";
}

/** `canSeeAddresses` and `window_minutes` in words. */
const spaced = (name: string) => name.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const peopleIn = (values: readonly unknown[]): string[] => [
  ...new Set(values.flat().filter((value): value is string => typeof value === "string" && isPerson(value))),
];

/** The changes, one fact per line: old and new value if both are known. People are named as elsewhere. */
export function detailLines({ action, detail }: Entry, members: Members): DetailLine[] {
  const { from, to, ...others } = detail;
  const names: Record<string, string> = action === "case.set_status" ? STATUS_TEXTS : {};
  const value = (given: unknown) => (typeof given === "string" ? names[given] : undefined) ?? words(given, members);
  const line = (text: string, ...values: unknown[]): DetailLine => ({ text, people: peopleIn(values) });
  const change = from === undefined || to === undefined ? [] : [line(`${value(from)} → ${value(to)}`, from, to)];
  const single = from !== undefined && to === undefined ? [line(`from: ${value(from)}`, from)] : [];
  const rest = Object.entries(others)
    .filter(([, given]) => given !== null && given !== "")
    .map(([name, given]) => line(`${spaced(isUserId(name) ? "person" : name)}: ${value(given)}`, given));
  return [...change, ...single, ...rest];
}

const isUserId = (name: string) => name === "userId";
