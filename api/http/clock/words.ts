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
    title: 'Store clock',
    ahead: (days) => `${days} days ahead of real time.`,
    same: 'Same as real time.',
    about:
      'Move the clock forward to trigger renewals, deadlines, rentals, and reminders. The clock can’t go back. Sessions expire as usual, so sign in again after a month. Skipping many days takes a moment. A fresh demo starts with today’s date.',
    steps: { hour: 'One hour forward', day: 'One day forward', week: 'One week forward', month: '31 days forward' },
    passing: 'Processing each day. Keep this page open.',
    day: (done, of, date) => `Day ${done} of ${of}: ${date}`,
    done: 'Done. Continue',
  },
  ko: {
    title: '스토어 시계',
    ahead: (days) => `실제보다 ${days}일 앞서 있어요.`,
    same: '실제 시간과 같아요.',
    about:
      '시계를 앞으로 옮기면 갱신, 기한, 대여, 알림이 처리돼요. 되돌릴 수는 없어요. 로그인도 그만큼 시간이 지나므로 한 달 뒤에는 다시 로그인해 주세요. 여러 날을 옮기면 시간이 조금 걸려요. 데모를 새로 시작하면 오늘로 돌아와요.',
    steps: { hour: '+1시간', day: '+1일', week: '+1주', month: '+31일' },
    passing: '하루씩 처리하고 있어요. 이 화면을 닫지 마세요.',
    day: (done, of, date) => `${of}일 중 ${done}일째: ${date}`,
    done: '완료. 계속하기',
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
