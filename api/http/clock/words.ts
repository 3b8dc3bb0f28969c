import type { Locale } from '#contract/enumerations.ts'

interface ClockWords {
  title: string
  /** By how many days the store is ahead, as a number with one decimal. */
  ahead: (days: string) => string
  same: string
  about: string
  steps: Record<'hour' | 'day' | 'week' | 'month', string>
  passing: string
  day: (done: number, of: number, date: string) => string
  done: string
}

export const clockWords: Record<Locale, ClockWords> = {
  en: {
    title: 'The store’s time',
    ahead: (days) => `${days} days ahead.`,
    same: 'The same as everywhere.',
    about:
      'Renewals, deadlines, rentals and reminders follow it at once, day by day. It goes forward alone, and sessions end as they would: sign in again after a month. Many days take a moment. A fresh demo begins with today.',
    steps: { hour: 'One hour on', day: 'One day on', week: 'One week on', month: '31 days on' },
    passing: 'What comes due is done day by day. Please leave this page open.',
    day: (done, of, date) => `Day ${done} of ${of}: ${date}`,
    done: 'Done. Go on',
  },
  ko: {
    title: '스토어의 시간',
    ahead: (days) => `실제보다 ${days}일 앞서 있습니다.`,
    same: '실제 시간과 같습니다.',
    about:
      '갱신, 기한, 대여, 알림이 하루 단위로 바로 따라옵니다. 시간은 앞으로만 가고 로그인도 그만큼 지나므로, 한 달이 지나면 다시 로그인하세요. 여러 날을 옮기면 조금 걸립니다. 데모를 새로 시작하면 오늘로 돌아옵니다.',
    steps: { hour: '한 시간 후로', day: '하루 후로', week: '일주일 후로', month: '31일 후로' },
    passing: '처리할 일을 하루씩 처리하고 있습니다. 이 화면을 닫지 마세요.',
    day: (done, of, date) => `${of}일 중 ${done}일째: ${date}`,
    done: '끝났습니다. 계속하기',
  },
  ja: {
    title: 'ストアの時刻',
    ahead: (days) => `実際より${days}日進んでいます。`,
    same: '実際の時刻と同じです。',
    about:
      '更新、期限、レンタル、お知らせは、1日ずつすぐに追いつきます。時刻は進むだけで戻らず、ログインも同じだけ経過します。1か月進めたら、もう一度ログインしてください。日数が多いと少し時間がかかります。デモを新しく始めると、今日に戻ります。',
    steps: { hour: '1時間進める', day: '1日進める', week: '1週間進める', month: '31日進める' },
    passing: '期限が来たものを1日ずつ処理しています。このページを開いたままにしてください。',
    day: (done, of, date) => `${of}日中${done}日目：${date}`,
    done: '完了しました。次へ',
  },
  ar: {
    title: 'وقت المتجر',
    ahead: (days) => `متقدّم بمقدار ${days} يوم.`,
    same: 'هو الوقت نفسه كما في كل مكان.',
    about:
      'تتبعه عمليات التجديد والمواعيد والاستئجار والتذكيرات فورًا، يومًا بعد يوم. لا يسير إلا إلى الأمام، وتنتهي جلسات الدخول كما هو معتاد: سجّل الدخول من جديد بعد شهر. الأيام الكثيرة تستغرق لحظة. والعرض الجديد يبدأ من اليوم.',
    steps: { hour: 'تقديم ساعة', day: 'تقديم يوم', week: 'تقديم أسبوع', month: 'تقديم 31 يومًا' },
    passing: 'يُنجز ما حان موعده يومًا بعد يوم. أبقِ هذه الصفحة مفتوحة من فضلك.',
    day: (done, of, date) => `اليوم ${done} من ${of}: ${date}`,
    done: 'تم. متابعة',
  },
}
