// `jobs cancel`: a job that waits never runs; one that runs is ended with everything it started.
import { cancelJob } from '../../../app/job/look.ts';
import { changeOfJob } from './change.ts';

export const command = changeOfJob('cancel', cancelJob, {
  cancelled: { says: { en: 'cancelled', zh: '已取消' }, isDone: true },
  cancelling: {
    says: { en: 'its worker ends it at the next beat', zh: '执行者将在下次心跳时终止它' },
    isDone: true,
  },
  ended: { says: { en: 'it has ended already', zh: '已结束' }, isDone: false },
  unknown: { says: { en: 'no such job', zh: '没有此任务' }, isDone: false },
});
