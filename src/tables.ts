/**
 * Tables as text: detects what a file holds (delimiter, header, columns) and writes vectors. Free of Node: the command line and the
 * explorer's page share this code.
 */

export type { Embedding } from "./core/embedding.js";
export { InputError } from "./core/errors.js";
export { npyHeader, quoteField, vectorLines } from "./core/vector-text.js";
export { type CheckedTable, LineEnds, requireRow, trimName } from "./sniff/check-rows.js";
export { isNumeric, valueFault } from "./sniff/check-value.js";
export {
  type ChosenColumns,
  chooseByName,
  recognisedColumns,
  separateDisabledRoles,
  type UserColumns,
} from "./sniff/choose-columns.js";
export { EDGE_ROLES, NODE_ROLES, type Role, type ValueCheck } from "./sniff/column-roles.js";
export {
  type DetectOptions,
  detectTextTable,
  rowNamesNotes,
  type TextTable,
} from "./sniff/detect-text-table.js";
export { refuseBinary, refusePacked, refuseZeroBytes } from "./sniff/file-signatures.js";
export { ForeignFormatError } from "./sniff/foreign-formats.js";
export {
  findTypeColumn,
  type NamedColumns,
  type TypeColumn,
  type TypeCounts,
  withoutTypeColumn,
} from "./sniff/formats/gephi.js";
export {
  isJson,
  isJsonArray,
  isNodeLink,
  keysOfLines,
  nestedFault,
  readJsonLine,
  requireKeysFound,
} from "./sniff/formats/json.js";
export { type Matrix, readMatrix, withMatrixAdvice } from "./sniff/formats/matrix.js";
export { isSif } from "./sniff/formats/sif.js";
export { isProbablyHeader } from "./sniff/header-row.js";
export { type RelationCount, type RelationTable, relationColumn, requireFewRelations } from "./sniff/relation-count.js";
export { type Dialect, RowScanner, type ScannedRow } from "./sniff/row-scanner.js";
export { type CommentRow, type HeadRows, type RowNames, scanHead } from "./sniff/scan-head.js";
export {
  damagedGzip,
  decodeHead,
  emptyFile,
  HEAD_BYTES,
  LineDecoder,
  NoRowsError,
  notParquet,
  splitFileName,
  type TextHead,
  trailingBytes,
  truncatedGzip,
} from "./sniff/text-head.js";
