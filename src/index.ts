export { run } from './api/run/run.ts';
export type { RunOptions, RunResult } from './api/basics/run-options.ts';
export type { AgentContext, AgentFunction } from './agents/function-agent.ts';
export { defineConfig, type AssayConfig, type TargetConfig } from './config/config.ts';
export {
  defineEvaluator,
  type EvaluatorDefinition,
  type EvaluatorEvidence,
  type EvaluatorResult,
  type EvaluatorTools,
} from './custom-evaluators/define-evaluator.ts';
export { defineCodeJudge } from './judge-sdk/code-judge.ts';
export type { CodeJudgeInput, CodeJudgeResult } from './judge-sdk/judge-types.ts';
export { loadYaml, type LoadYamlOptions } from './formats/yaml/load-yaml.ts';
export type { ParsedSuite, SuiteText } from './formats/parse-suite.ts';
export { loadSuites, type LoadedSuites } from './load/load-suites.ts';
export { parseSuite } from './load/parse-suite.ts';
export { readDataset, type DatasetItem } from './load/read-dataset.ts';
export type { Assertion } from './model/assertion.ts';
export type {
  Comparison,
  Detectable,
  Regression,
  RegressionRule,
  TestChange,
  TestOutcome,
} from './model/comparison.ts';
export type { Finding, Severity } from './model/finding.ts';
export type { Json, JsonObject } from './model/json.ts';
export type { Message, Role, ToolCall } from './model/message.ts';
export type {
  AssertionRecord,
  AttemptRecord,
  ErrorKind,
  RecordedError,
  StepRecord,
  Verdict,
} from './model/record.ts';
export type { AgentRequest, RecordedToolCall, Reply, TokenUsage } from './model/reply.ts';
export type { GateResult, GateRules, TestGate } from './model/gate.ts';
export type { PassEstimate, PassRate, Summary, TestSummary } from './model/summary.ts';
export type { RerunOptions } from './model/rerun-command.ts';
export type {
  Reporter,
  ReporterContext,
  ReporterFactory,
  ReporterOptions,
  RunEnd,
  RunStart,
} from './reporters/reporter.ts';
export type { Place } from './model/place.ts';
export type { Format, Suite } from './model/suite.ts';
export type { MessagePlaces, Step, Test } from './model/test.ts';
