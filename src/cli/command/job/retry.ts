// `jobs retry`: a job that failed, was cancelled, skipped or waits is queued once more.
import { retryJob } from '../../../app/job/look.ts';
import { changeOfJob } from './change.ts';

export const command = changeOfJob('retry', retryJob, {
  queued: {
    says: { en: 'queued once more; `skillwright start` runs it', zh: '已重新入队，由 `skillwright start` 执行' },
    isDone: true,
  },
  active: { says: { en: 'it is queued or running already', zh: '已在队列中或正在运行' }, isDone: false },
  done: {
    says: { en: 'it was done; `jobs run` starts another one', zh: '已完成；用 `jobs run` 另起一个' },
    isDone: false,
  },
  unknown: { says: { en: 'no such job', zh: '没有此任务' }, isDone: false },
});
