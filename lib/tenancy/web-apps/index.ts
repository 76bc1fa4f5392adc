export { addOrigins } from "./add-origins";
export { archiveWebApp, pauseWebApp, resumeWebApp } from "./change-state";
export { countRefusedOrigins, type RefusedOfWebApp } from "./count-refused-origins";
export { createWebApp, createWebAppWithoutKey } from "./create-web-app";
export { parseOrigin } from "./domain/origin";
export { listRefusedOrigins } from "./list-refused-origins";
export { listWebApps, nameWebApps, readWebApp } from "./list-web-apps";
export { purgeRefusedOrigins } from "./queries-refused";
export { dateDemoWebApp, ENVIRONMENT, environmentValues, findWorkspaceOfWebApp, joinWebApp } from "./queries";
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
export { requireOrigins } from "./sort-origins";
