export { checkAlerts } from "./check-alerts";
export { type AlertInput, createAlert } from "./create-alert";
export { deleteAlert } from "./delete-alert";
export { type Condition, CONDITIONS } from "./domain/limit";
export { type Alert, listAlerts } from "./list-alerts";
export { sendAlerts } from "./send-alerts";
