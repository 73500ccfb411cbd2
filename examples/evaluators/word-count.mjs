import { defineCodeJudge } from 'assay/judge';

await defineCodeJudge(({ candidate_answer, config }) => {
  const words = candidate_answer.split(/\s+/).filter((word) => word !== '').length;
  const most = config.max_words;
  return {
    score: words <= most ? 1 : most / words,
    reasoning: `${words} words, and ${most} are allowed`,
  };
});
