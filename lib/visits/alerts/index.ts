export { checkAlerts } from "./check-alerts";
export { createAlert } from "./create-alert";
export { deleteAlert } from "./delete-alert";
export { type Condition, CONDITIONS } from "./domain/limit";
export { type Alert, listAlerts } from "./list-alerts";
export type { AlertInput } from "./require-alert";
export { sendAlerts } from "./send-alerts";
export { updateAlert } from "./update-alert";
