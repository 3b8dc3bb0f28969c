interface Words {
  titles: Record<'PAYMENT' | 'CARD', string>
  opening: string
  open: string
  back: string
  blocked: string
  noScript: string
  finishedTitle: string
  finished: string
  missingTitle: string
  missing: string
}

const en: Words = {
  titles: { PAYMENT: 'Pay', CARD: 'Add a card' },
  opening: 'The payment window opens in a moment. You’ll return to the store when you’re done.',
  open: 'Open payment window',
  back: 'Back to store',
  blocked: 'We couldn’t open the payment window. You haven’t been charged. Try again, or go back and try later.',
  noScript: 'Turn on JavaScript to open the payment window, or go back and choose another payment method.',
  finishedTitle: 'This payment is closed',
  finished: 'The payment was completed or closed. See the result in the store.',
  missingTitle: 'Page not found',
  missing: 'The link is incomplete or was changed. Start again from the store.',
}

const ko: Words = {
  titles: { PAYMENT: '결제하기', CARD: '카드 등록' },
  opening: '잠시 후 결제창이 열려요. 완료하면 스토어로 돌아와요.',
  open: '결제창 열기',
  back: '스토어로 돌아가기',
  blocked: '결제창을 열지 못했어요. 결제된 금액은 없어요. 다시 시도하거나 나중에 다시 시도해 주세요.',
  noScript: '결제창을 열려면 자바스크립트를 켜 주세요. 돌아가서 다른 결제 수단을 선택할 수도 있어요.',
  finishedTitle: '이미 처리된 결제예요',
  finished: '결제가 완료됐거나 종료됐어요. 결과는 스토어에서 확인할 수 있어요.',
  missingTitle: '페이지를 찾을 수 없어요',
  missing: '링크가 올바르지 않아요. 스토어에서 다시 시작해 주세요.',
}

const ja: Words = {
  titles: { PAYMENT: 'お支払い', CARD: 'カードの登録' },
  opening: 'まもなく決済ウィンドウが開きます。終わるとストアに戻ります。',
  open: '決済ウィンドウを開く',
  back: 'ストアに戻る',
  blocked: '決済ウィンドウを開けませんでした。請求は発生していません。もう一度試すか、戻って後ほどお試しください。',
  noScript: '決済ウィンドウにはJavaScriptが必要です。このページで許可するか、戻って別の支払い方法を選んでください。',
  finishedTitle: 'このページの処理は終わりました',
  finished: 'お支払いは完了したか、閉じられました。結果はストアで確認できます。',
  missingTitle: 'ページがありません',
  missing: 'アドレスが途中で切れたか、変更されています。ストアからやり直してください。',
}

const ar: Words = {
  titles: { PAYMENT: 'الدفع', CARD: 'إضافة بطاقة' },
  opening: 'تُفتح نافذة الدفع بعد لحظات، ثم تعود إلى المتجر عند الانتهاء.',
  open: 'فتح نافذة الدفع',
  back: 'العودة إلى المتجر',
  blocked: 'تعذّر فتح نافذة الدفع، ولم يُخصم أي مبلغ. أعد المحاولة، أو عُد وحاول لاحقًا.',
  noScript: 'تحتاج نافذة الدفع إلى JavaScript. اسمح به لهذه الصفحة، أو عُد واختر طريقة دفع أخرى.',
  finishedTitle: 'انتهى عمل هذه الصفحة',
  finished: 'اكتملت عملية الدفع أو أُغلقت. يعرض المتجر حالتها.',
  missingTitle: 'لا توجد صفحة كهذه',
  missing: 'العنوان ناقص أو تم تغييره. ابدأ من جديد في المتجر.',
}

const languages = { en, ko, ja, ar }
export type BridgeLanguage = keyof typeof languages
export const bridgeLanguages = Object.keys(languages) as BridgeLanguage[]

export const bridgeLanguage = (locale: string): BridgeLanguage => {
  const language = locale.slice(0, 2)
  return Object.hasOwn(languages, language) ? (language as BridgeLanguage) : 'en'
}

export const bridgeWords = (language: BridgeLanguage): Words => languages[language]
