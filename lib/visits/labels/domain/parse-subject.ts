import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import type { LabelSubject } from "@/lib/contract/labels";

/** Identifies a visit, device or account by exactly one of these. */
export type NamedSubject = {
  imprint?: string | undefined;
  deviceId?: string | undefined;
  accountId?: string | undefined;
  accountRef?: string | undefined;
};

export type ParsedSubject = { kind: LabelSubject; id: string } | { kind: "account"; accountRef: string };

const KINDS = [
  { name: "imprint", kind: "visit", idKind: "imprint", form: "imp_ and 32 hex digits" },
  { name: "deviceId", kind: "device", idKind: "device", form: "dev_ and 32 hex digits" },
  { name: "accountId", kind: "account", idKind: "account", form: "acc_ and 32 hex digits" },
] as const;

const notUnderstood = (message: string) => new AppError("invalid_request", { message });

/** @throws AppError `invalid_request` */
export function parseSubject(named: NamedSubject): ParsedSubject {
  const given = Object.values(named).filter((value) => value !== undefined);
  if (given.length !== 1)
    throw notUnderstood("A label needs exactly one of imprint, device_id, account_id and account_ref");
  if (named.accountRef !== undefined) return { kind: "account", accountRef: named.accountRef };
  for (const { name, kind, idKind, form } of KINDS) {
    const id = named[name];
    if (id === undefined) continue;
    if (!idPattern(idKind).test(id)) throw notUnderstood(`Expected ${form}`);
    return { kind, id };
  }
  throw notUnderstood("A label needs a visit, a device or an account");
}
