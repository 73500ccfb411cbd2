export { run } from './api/run/run.ts';
export type { RunOptions, RunResult } from './api/basics/run-options.ts';
export type { AgentContext, AgentFunction } from './agents/function-agent.ts';
export { defineConfig, type AssayConfig, type TargetConfig } from './suites/config/config.ts';
export {
  defineEvaluator,
  type EvaluatorDefinition,
  type EvaluatorEvidence,
  type EvaluatorResult,
  type EvaluatorTools,
} from './checks/user-code/define-evaluator.ts';
export { defineCodeJudge } from './checks/judge-sdk/code-judge.ts';
export type { CodeJudgeInput, CodeJudgeResult } from './checks/judge-sdk/judge-types.ts';
export { loadYaml, type LoadYamlOptions } from './suites/formats/yaml/load-yaml.ts';
export type { ParsedSuite, SuiteText } from './suites/formats/parse-suite.ts';
export { loadSuites, type LoadedSuites } from './suites/load/load-suites.ts';
export { parseSuite } from './suites/load/parse-suite.ts';
export { readDataset, type DatasetItem } from './suites/load/read-dataset.ts';
export type { Assertion } from './base/model/assertion.ts';
export type {
  Comparison,
  Detectable,
  Regression,
  RegressionRule,
  TestChange,
  TestOutcome,
} from './base/model/comparison.ts';
export type { Finding, Severity } from './base/model/finding.ts';
export type { Json, JsonObject } from './base/model/json.ts';
export type { Message, Role, ToolCall } from './base/model/message.ts';
export type {
  AssertionRecord,
  AttemptRecord,
  ErrorKind,
  RecordedError,
  StepRecord,
  Verdict,
} from './base/model/record.ts';
export type { AgentRequest, RecordedToolCall, Reply, TokenUsage } from './base/model/reply.ts';
export type { GateResult, GateRules, TestGate } from './base/model/gate.ts';
export type { PassEstimate, PassRate, Summary, TestSummary } from './base/model/summary.ts';
export type { RerunOptions } from './base/model/rerun-command.ts';
export type {
  Reporter,
  ReporterContext,
  ReporterFactory,
  ReporterOptions,
  RunEnd,
  RunStart,
} from './show/reporters/reporter.ts';
export type { Place } from './base/model/place.ts';
export type { Format, Suite } from './base/model/suite.ts';
export type { MessagePlaces, Step, Test } from './base/model/test.ts';
