export { addOrigins } from "./add-origins";
export { archiveWebApp, pauseWebApp, resumeWebApp } from "./change-state";
export { countRefusedOrigins, type RefusedOfWebApp } from "./count-refused-origins";
export { createWebApp, createWebAppWithoutKey } from "./create-web-app";
export { parseOrigin, type ParsedOrigin, type RefusalKind } from "./domain/origin";
export type { WebAppState } from "./domain/web-app-state";
export { listRefusedOrigins } from "./list-refused-origins";
export { listWebApps, readWebApp } from "./list-web-apps";
export { purgeRefusedOrigins } from "./queries-refused";
export {
  dateInventedWebApp,
  ENVIRONMENT,
  type Environment,
  environmentValues,
  findWorkspaceOfWebApp,
  joinWebApp,
} from "./queries";
export { insertRefusedOrigins } from "./queries-refused";
export { recordRefusedOrigin } from "./record-refused-origin";
export { removeOrigin } from "./remove-origin";
export { renameWebApp } from "./rename-web-app";
export {
  environmentOf,
  environmentQuery,
  learnEnvironment,
  placeOfEnvironment,
  resolveEnvironment,
} from "./resolve-environment";
export { type RefusedOrigin, requireOrigins } from "./sort-origins";
