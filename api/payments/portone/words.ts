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
  opening: 'The payment window opens in a moment. You come back to the store when you are done.',
  open: 'Open the payment window',
  back: 'Back to the store',
  blocked:
    'The payment window could not be opened. Nothing was charged. Try once more, or go back and try again later.',
  noScript: 'The payment window needs JavaScript. Allow it for this page, or go back and choose another way to pay.',
  finishedTitle: 'This page has done its work',
  finished: 'The payment is finished or was closed. The store shows how it stands.',
  missingTitle: 'There is no such page',
  missing: 'The address is incomplete or was changed. Begin again in the store.',
}

const ko: Words = {
  titles: { PAYMENT: '결제하기', CARD: '카드 등록' },
  opening: '잠시 후 결제창이 열립니다. 마치면 스토어로 돌아옵니다.',
  open: '결제창 열기',
  back: '스토어로 돌아가기',
  blocked: '결제창을 열지 못했습니다. 결제된 금액은 없습니다. 다시 시도하거나, 돌아가서 나중에 다시 시도해 주세요.',
  noScript: '결제창은 JavaScript가 있어야 열립니다. 이 페이지에서 허용하거나, 돌아가서 다른 결제 방법을 선택해 주세요.',
  finishedTitle: '이미 처리된 페이지입니다',
  finished: '결제가 끝났거나 닫혔습니다. 결과는 스토어에서 확인할 수 있습니다.',
  missingTitle: '없는 페이지입니다',
  missing: '주소가 잘렸거나 바뀌었습니다. 스토어에서 다시 시작해 주세요.',
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

export const bridgeLanguage = (locale: string): BridgeLanguage => {
  const language = locale.slice(0, 2)
  return Object.hasOwn(languages, language) ? (language as BridgeLanguage) : 'en'
}

export const bridgeWords = (language: BridgeLanguage): Words => languages[language]
