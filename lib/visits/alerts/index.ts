export { checkAlerts } from "./check-alerts";
export { createAlert } from "./create-alert";
export { deleteAlert } from "./delete-alert";
export { CONDITIONS } from "./domain/limit";
export { type Alert, listAlerts } from "./list-alerts";
export { sendAlerts } from "./send-alerts";
export { updateAlert } from "./update-alert";
