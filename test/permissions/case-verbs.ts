import {
  addItems,
  assignCase,
  commentOnCase,
  createCase,
  deleteCase,
  deleteComment,
  listCases,
  nameCases,
  readCase,
  recordCaseExport,
  removeCaseItem,
  renameCase,
  setCaseStatus,
} from "@/lib/tenancy/cases";
import {
  addToCase,
  exportCase,
  exportEvidence,
  openCase,
  summariseCase,
  takeFromCase,
} from "@/lib/visits/investigation";
import { EVERYONE, MANAGERS } from "@/test/roles";
import type { PermissionFixture, PermittedVerbs } from "./fixture";

const device = ({ deviceId }: PermissionFixture) => ({ kind: "device", value: deviceId, deviceId }) as const;

/** Verbs on cases, and the roles that may use them. */
export const CASE_VERBS: PermittedVerbs = [
  ["listCases", EVERYONE, (context, { workspaceId }) => listCases(context, { workspaceId })],
  ["readCase", EVERYONE, readCase],
  ["nameCases", EVERYONE, (context, { workspaceId, caseId }) => nameCases(context, { workspaceId, caseIds: [caseId] })],
  ["summariseCase", EVERYONE, (context, of) => summariseCase(context, { ...of, items: [device(of)] })],
  ["createCase", EVERYONE, (context, { workspaceId }) => createCase(context, { workspaceId, name: "New" })],
  [
    "openCase",
    EVERYONE,
    (context, { workspaceId, imprint }) => openCase(context, { workspaceId, name: "New", items: [imprint] }),
  ],
  ["renameCase", EVERYONE, (context, of) => renameCase(context, { ...of, name: "New" })],
  ["setCaseStatus", EVERYONE, (context, of) => setCaseStatus(context, { ...of, status: "closed" })],
  ["assignCase", EVERYONE, (context, of) => assignCase(context, { ...of, assigneeId: "" })],
  ["commentOnCase", EVERYONE, (context, of) => commentOnCase(context, { ...of, text: "Seen" })],
  ["addToCase", EVERYONE, (context, of) => addToCase(context, { ...of, items: [of.imprint] })],
  ["addItems", EVERYONE, (context, of) => addItems(context, { ...of, items: [device(of)], note: "" })],
  ["takeFromCase", EVERYONE, (context, of) => takeFromCase(context, { ...of, item: of.deviceId })],
  ["removeCaseItem", EVERYONE, (context, of) => removeCaseItem(context, { ...of, ...device(of) })],
  ["exportCase", EVERYONE, (context, of) => exportCase(context, { ...of, format: "html" })],
  ["recordCaseExport", EVERYONE, (context, of) => recordCaseExport(context, { ...of, format: "html" })],
  ["exportEvidence", EVERYONE, (context, of) => exportEvidence(context, { ...of, item: of.deviceId, format: "csv" })],
  ["deleteComment of another person", MANAGERS, deleteComment],
  ["deleteCase", MANAGERS, deleteCase],
];
