export { deleteView } from "./delete-view";
export { findView, listViews, type View } from "./list-views";
export { renameView } from "./rename-view";
export { saveView } from "./save-view";
