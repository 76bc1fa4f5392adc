export { importLabels, type LabelImport } from "./import-labels";
export { setManagedLabel } from "./manage-labels";
export { exportLabels, labelsOfVisits, listLabels, readLabels, type VisitLabels } from "./read-labels";
export { setLabel } from "./set-label";
