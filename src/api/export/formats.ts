import type { ExportName } from '../../base/model/recording-names.ts';
import { ATIF_EXPORT } from './atif.ts';
import type { ExportFormat } from './export-format.ts';
import { INSPECT_EXPORT } from './inspect.ts';
import { JSONL_EXPORT } from './jsonl.ts';
import { OTLP_EXPORT } from './otlp.ts';

export const EXPORT_FORMATS: Readonly<Record<ExportName, ExportFormat>> = {
  atif: ATIF_EXPORT,
  otlp: OTLP_EXPORT,
  inspect: INSPECT_EXPORT,
  jsonl: JSONL_EXPORT,
};
