/** 한강 아카데미의 긴 글을 영어로, `prose.ts`의 표기로 적었다. */
export const HANGANG_ENGLISH: Readonly<Record<string, string>> = {
  'first-line-drawing': `You can draw. You just haven’t looked at anything for long enough. In this class you look at one scene for 24 seconds and draw only what stays with you. No eraser.

Each lesson has one exercise in the workbook. Watch the video twice, draw for five minutes, and you’re done for the day. After five lessons you’ll have finished the view from your window.

- You need: one 4B pencil, and the workbook or any paper
- Ten minutes a day for five days
- Post your exercise as a comment and the teacher will answer`,
  'bamboo-in-ink': `Bamboo is painted the way it grows, from the ground up. You stop at every joint, lift the brush and go on. Leaves are pressed, drawn out and left to run dry.

The video shows one bamboo from start to finish. A brush pen is fine, and the practice sheet has an outline for each step.`,
  'brush-breathing': `Let go of painting well and pay attention only to your breath while you draw a single line. It’s a small ritual for your desk before work or the table before bed.

Free for all members.`,
  'layered-landscape': `Why do distant mountains look pale? Once you can draw air, you get depth without knowing perspective. Start with the palest colour and add one layer at a time, each only a third darker.

Three coloured pencils are enough. Afterwards you’ll count the layers in every sunset.`,
  'night-coloring': `Mix a little brown into navy and you have night. Then light eleven yellow windows. Who lives behind the twelfth is up to you.

You’ll paint three scenes in a row: a skyline, a lantern and moonlight.`,
  'object-still-life': `A still life is nothing grand. The moment you see the cup in front of you as a circle and a square, you’ve started. This class trains the eye that turns complicated things into simple shapes.

Divide forms along with a video of moving shapes, then draw your own table in the workbook the same way.`,
  'plant-drawing': `Look closely enough to draw something and you’ll want to know its name. Know its name and you’ll see it again tomorrow. Stem, joint, branch, leaf: this order works for any plant.

You don’t need a magnifying glass. Just bring home one stalk of grass from your walk.`,
  'portrait-in-planes': `A face is hard in lines, but in planes it’s no different from a landscape. The forehead is a hill, the cheekbone a ridge, the chin a valley.

In three lessons you’ll practise looking at a face the way you look at mountains.`,
  'grid-basics': `Behind every layout that looks tidy there are invisible lines. Divide the columns, set the gaps, and break the rule exactly once. That’s half of editorial design.

The practice sheets hold grids from two to six columns. Try slides, menus or a school newspaper on them.`,
  'slides-that-breathe': `One sentence per slide, one picture per sentence. You know it, but you can’t bring yourself to delete. Learn the courage to leave space and the skill of putting things in order.

The night before the meeting is not too late.`,
  'hangul-lettering': `Even a single letter such as ‘가’ has a pillar, a roof and a yard. Adjust the weight of the strokes and the space between them, and the same letter smiles or whispers.

You’ll learn three frames to use right away on cards, signs and children’s name tags.`,
  'body-text-setting': `When text is hard to read, the cause is usually the spacing, not the typeface. Lines of about thirty Korean letters, leading of about 1.7 times the type size, slightly tight tracking: find the point where your eyes relax.

For anyone who makes books, writes reports or keeps a blog.`,
  'colour-in-six': `Choose the darkest and the lightest colour first, divide the space between them into three steps, and add one colour that stands out. Keep to this order and no scheme falls apart.

Learn proportions from moving tiles, then make a palette from six things at home.`,
  'phone-filming': `Good footage comes from waiting long, not from shooting a lot. Begin by fixing the camera and doing nothing for 24 seconds. Something always happens.

Learn to set exposure in three kinds of light: dusk, waterside and the city at night.`,
  'cutting-on-rhythm': `Your foot finds the cut before your eye does. Watch shapes turn to music in four and clap when you want to cut. That’s your edit point.

Only principles that work in any free editing program.`,
  'sound-first': `People forgive a shaky picture, but they switch off harsh sound. From wind and waves to a distant bell, learn to choose good sounds and layer them.

Please use headphones.`,
  'ten-sentences': `You’re not stuck because you have nothing to say. The first sentence is just too big. Begin by writing down one thing you saw today, without adjectives. Ten sentences are enough.

In each lesson you watch a scene and describe it to someone who has never seen it. The notebook holds two weeks of exercises.`,
  'letters-not-sent': `Choose who it’s for, write five sentences, and don’t send it. Writing that no one will read is more honest than you’d think.

Think of one person while the lanterns rise. The writing comes after.`,
  'work-email': `A late answer doesn’t always mean they’re busy. They may not know what to answer. Put the request in the first line, the reason in three, and the deadline as a date.

Free for all members. Start with the e-mail you’re sending today.`,
  'copy-in-one-line': `Good copy comes from bones, not wit. The narrower your audience, the shorter the sentence, and short sentences stay.

You’ll rewrite a shop notice, a club description and a second-hand ad.`,
  'first-function': `Coding is sending a computer on an errand. An errand has a name, something it takes along and something it brings back. That’s a function.

There’s nothing to install. Watch the video, open the practice file, replace the scores with your own and run it. Free for everyone.`,
  'coding-in-a-week': `You won’t memorise anything you don’t need to. Remember four ideas as four scenes and practise by changing the files yourself.

- A variable is a labelled box
- A condition is a fork in the road
- A loop is waves
- A function is an errand

One lesson a day for four days, then three days of review. Practice files come in JavaScript and Python.`,
  'python-for-office': `Do you open the same file every week and add up the same columns? Five lines will do it. This class doesn’t teach grammar, it teaches errand lists.

Start with the average in the practice file, then learn to apply it to your own work.`,
  'web-from-zero': `A web page is simpler than you think: a letter. With a heading, a paragraph and a link you can have an address that’s yours alone.

The video shows the structure as shapes, and in the exercise you add your name.`,
  'layout-with-css': `The lines that divide a layout are the same on paper and on the web. Choose the columns, choose the gaps, and leave the rest to the browser.

If you’ve taken our grid class, you already know half of it.`,
  'excel-that-talks': `The numbers in a report aren’t hard to read because there are too many. They just aren’t grouped. With one 120-row sales sheet you’ll go step by step through pivots, bars and lines.

The last exercise isn’t a chart but a sentence. If you can answer “so what should we do?” in one line, you’ve graduated.`,
  'pivot-in-ten-minutes': `A pivot table is a chest of drawers. Decide what goes on the labels, what goes inside, and whether to count it or add it up.

Drag and drop five times with the practice file. From the sixth time on your hands know.`,
  'honest-charts': `If the vertical axis doesn’t start at 0, a difference of 2 percent looks like double. We make charts like that every day without meaning any harm.

Together we redraw examples from the news and from reports.`,
  'draw-your-data': `Data isn’t only for companies. Count how often you laughed today and draw it with dots and lines. After a week you’ll have a chart that looks just like you.

Drawing meets data in the class we’re fondest of.`,
  'compound-interest': `A line and a curve start at the same point. For years you can’t tell them apart. Then they begin to separate, and from then on you can’t look away.

The formula is one line. Pause and write it down. This is a class about money that doesn’t sell you anything.`,
  'first-salary': `Ten minutes on the morning of payday put the whole month in order. Divide the money among three accounts (living, emergencies, the future) and enjoy the rest.

For people in their first job, and their parents.`,
  'korean-history-in-night': `Remember scenes before you memorise dates. Beacons on fortress walls, sails on the sea route, streets hung with lanterns, blocks that printed books, a city lit up. Put six scenes in order and you have the backbone.

The timeline lists twenty-six events with empty space beside them. Fill it in as you watch.`,
  'three-kingdoms-map': `Why did they fight at that very pass? Why did whoever held the Han River grow strong? Look at the terrain first and the Three Kingdoms follow like a story.

Watch as if walking along the ridge, then draw the borders of the three kingdoms on a blank map.`,
  'joseon-day': `They rose before dawn to grind ink, wrote by day, and answered letters by lamplight. Follow one person’s day and you’ll see institutions, rank and housekeeping along the way.

The captions quote passages from diaries and collected writings.`,
  'hangul-story': `Dots, lines, squares and circles: Hunminjeongeum is a design that turns sound into shapes. Moving shapes show how the tongue became consonants, and sky, earth and people became vowels.

Watch it with your children on Hangul Day.`,
  'modern-seoul-nights': `The first electric lamp, lit at Gyeongbokgung Palace in 1887, was called goblin fire. Follow how brighter nights changed people’s work, meetings and quarrels over the next hundred years.

Modern history, read again as a history of light.`,
  'saturn-in-24-seconds': `The rings are ice, most of it no bigger than a snowball. Three moons keep the rings in line, and a comet just passes by.

Made so that children understand it and adults aren’t bored. Free for everyone.`,
  'night-sky-for-city': `The moon, the planets and a few bright stars: a city sky has stories enough. Learn the order in which to find them with the naked eye from a roof or balcony.

Four stars a season, sixteen a year, and you’ll know more of them than anyone in your neighbourhood.`,
  'basics-of-broth': `Half the taste of broth is not ingredients but time. Take out the kelp just before the boil, then wait ten minutes on low heat. The video trains your eye for fire and water, and the exact amounts are on the recipe cards.

Bean sprout soup, doenjang-jjigae and tteokguk: cut out the cards and put them on your fridge.`,
  'rice-cake-soup': `Rice cakes fall apart when they’re boiled too long. Two minutes after they float: here’s how to keep to them. Three colours of garnish are enough.

You can even watch it in a hurry on New Year’s morning.`,
  'soybean-stew': `Mother said “just enough”, but there was a number behind it. Two spoonfuls of soybean paste, three cups of water, five minutes from the start. Measure once and next time you really can use just enough.

With alternatives for days without zucchini or tofu.`,
  'five-side-dishes': `One hour on Sunday evening, five side dishes, and you wash the knife once. With the right order even a small kitchen is enough.

Remember the order of cutting, blanching and frying as moving shapes.`,
  'plating-for-two': `There’s a reason the same food looks better in some photos: leave the middle empty and use odd numbers. Bring the white space you know from pictures to your plate.

Best watched the night before an anniversary.`,
  'four-count-breathing': `Breathe along the sides of a square. Right before a presentation, right before an exam, right after the baby falls asleep. In 24 seconds you get around one and a half times.

Free for everyone.`,
  'evening-walk': `When it rains or you leave work late, walk on the screen. The light climbs from valley to ridge at walking pace.

Put on headphones, drop your shoulders once, and start.`,
  'ten-waves-to-sleep': `You don’t ask for sleep, you wait for it. Match your breath to slow waves, ten a minute, and before you know it you’ll forget to count.

The picture is dark on purpose. Listening is enough.`,
  'lamp-before-sleep': `Let one lamp rise at the end of the day. You don’t have to say a name. Just think of it while it rises.

Free for all members.`,
  'starlight-bedtime': `The comet passes just when someone is about to ask for water. While the rings turn once, there’s time to say good night to every doll.

For ages four to a hundred, together.`,
  'all-round-beginner': `If you don’t know what you like, the fastest way is to try one of each. We’ve bundled the best-loved exercises from the first lessons of four subjects.

Once you’ve found your subject, the teacher will reply to your comment with a discount for the full class.`,
  'team-onboarding-pass': `Three things every new colleague has to be taught and no one has written down: e-mails, tables and presentations.

Available only with the partner companies’ pass.`,
  'drawing-workbook': `A workbook you can use without a class. Each exercise has room to draw and one line in which you promise not to use an eraser.

Print it on A4 as often as you like.`,
  'writing-notebook': `Ten sentences a day make a hundred and forty in two weeks. Five of them you’ll want to keep.

The lines are generously spaced. If you use a fountain pen, choose paper that doesn’t show through.`,
  'recipe-card-set': `Amounts and times for four soups, one to a card. Use the empty lines for the numbers that suit your family’s taste.`,
  'history-timeline-poster': `A timeline to fill in, not to memorise. Beside each event there’s room for a TV drama, a novel or your grandmother’s story.`,
  'grid-sheet-set': `Lay it out by hand first and you’ll lose less time on screen. Good for posters, newsletters and slides.`,
  'sales-data-pack': `Practice data modelled on a year of sales in a stationery shop, with five exercises from pivots and charts to compound interest. It’s not the data of a real shop or person.`,
  'study-calendar': `December and January on two sheets. Draw a circle for each day you watched a lesson, and soon you won’t want to leave a gap. It’s fine if you don’t fill them all.`,
  'code-practice-pack': `The very code from “First Function”, with three exercises. Change the scores and run it.`,
  'caption-reading': `Many of you asked to use our captions for studying English, so here they are as text. Just the right length for reading aloud.`,
  'free-grid-tour': `Forty tiles, each waiting for its turn. Choose a corner you like and follow it to the end. Design begins there.`,
  'architecture-walk': `Even the buildings you pass every day hold the intentions of whoever designed them. Why is the door that high? Why do the windows face west? Once you know how to look, your commute becomes a field trip.

After the class, visit the staircase nearest to your home.`,
  'reading-short-films': `A short film has nowhere to hide. We look closely at colour, pace, sound and ending, one in each lesson. Watch the same scene four times and it becomes four films.

Three sentences will do for a review.`,
  'train-window-sketch': `Let go of what’s near and catch what’s far. Drawing on a train is also an exercise in memory. Put a small notebook in your bag for your next trip.`,
  'essay-by-the-sea': `Write in the morning, write in the evening, and write again once you’ve left. The place stays the same, but the three texts differ. That difference is your style.

It doesn’t matter if the sea is far away. The lighthouse in the video is waiting.`,

  '왜 24초인가요?': `## Why 24 seconds?

You don’t have to sit for hours to learn. Every lesson at Hangang Academy is **one 24-second scene** and **one workbook exercise**. Watch it twice, use your hands for five minutes, and you’re done for today.

Lesson times are exactly as shown, and the time of a class is the sum of its lessons. [Read more about Hangang Academy](/pages/about).`,

  '겨울 학기 학습 달력을 나누어 드립니다': `Here’s a study calendar for December and January. Draw a circle on each day you watch a lesson. Fill in twenty and we’ll send you a postcard written by one of our teachers.

- Print the attached file on A4.
- Send us a photo of your finished calendar through Support.
- You have until the end of next February.`,
  '환불 규정을 네 문장으로 정리했습니다': `You get a full refund within 7 days of payment if you haven’t watched or downloaded anything. For classes with several lessons, we refund the lessons you haven’t opened. Previews and free lessons don’t count as watching. See our [refund policy](/pages/refund) for details.`,
  '신규 강의: 휴대전화로 찍는 24초 영화': `A filming class that needs neither tripod nor lights. The first lesson, “Exposure at Dusk”, is free for everyone.

Describe the 24 seconds you shot in a comment, and the teacher will reply with a short review.`,
  '설 연휴 고객센터 운영 안내': `Answers may take longer during the holiday. We’ll reply to your inquiries in order from the first working day after it. You can watch classes and pay as usual.`,
  '모든 강의에 한국어·영어 자막이 제공됩니다': `All lessons now have captions, so that you can learn where you can’t turn on the sound. Press **C** in the player or choose a language from the captions menu. Your choice is kept for the next lesson.`,
  '가상 계좌(무통장입금) 결제 안내': `No card? You can pay by bank transfer. Send the exact amount within 7 days of your order and your class opens right away. Orders that aren’t paid in time are cancelled automatically.`,
  '화요일 새벽 서버 점검 (03:00–03:20)': `We’re moving to new servers for a more stable service. Playback may be slow during maintenance, and access periods are extended by the same time.`,
  '이용약관 개정 안내': `You can now be signed in on three devices instead of two. Nothing else has changed. Read the new wording in our [terms of use](/pages/terms).`,
  '워크북을 다시 인쇄해도 되나요? 네, 됩니다': `You can print the workbooks you bought as often as you like for your own study. If you’d like to use them in a class or a group, send us an inquiry. We’re usually happy to say yes.`,
  '한강 아카데미가 문을 열었습니다': `A few people who were sorry never to have finished a long course got together and made classes so short that you can’t help finishing them. Welcome.`,

  '강의가 정말 24초인가요?': `Yes. A lesson takes 24 seconds, and the time shown is the actual length. Classes are made of several such lessons and a workbook. Most students watch each lesson two or three times.`,
  '24초로 배울 수 있나요?': `The lesson opens your senses, and the learning happens while you do the exercise. We design for watching twice and using your hands for five minutes.`,
  '어떤 기기에서 볼 수 있나요?': `Any phone, tablet or computer with a browser from the last few years. You can be signed in on three devices and watch on one at a time.`,
  '자막은 어떻게 켜나요?': `Press **C** during playback, or choose Korean or English from the captions menu.`,
  '이어 보기가 되나요?': `Yes. We save your position, so you can continue on another device.`,
  '평생 소장과 30일 수강권은 무엇이 다른가요?': `With lifetime access you can watch for as long as you have an account. With 30-day access you can watch for 30 days from the first time you press play, and you have 30 days after payment to start.`,
  '어떤 결제 수단을 쓸 수 있나요?': `By credit card, debit card or bank transfer. For a bank transfer, send the exact amount within 7 days.`,
  '현금영수증이나 세금계산서를 받을 수 있나요?': `Send us your number through Support after payment, and we’ll issue it within two working days.`,
  '할인 쿠폰이 있나요?': `We lower our list prices instead of giving out coupons. Classes on sale show the original price as well.`,
  '환불은 어떻게 하나요?': `Open the order in *Your account › Orders* and choose *Cancel or refund*. Within 7 days and before you start watching, the full amount goes back to your card.`,
  '일부만 들었는데 나머지를 환불받을 수 있나요?': `Yes. If you’ve watched two of five lessons, the other three are refunded. You’ll see the amount before you confirm.`,
  '무통장입금은 어디로 환불되나요?': `We’ll ask for a bank account and send the refund there. It takes about three working days.`,
  '비밀번호를 잊었습니다.': `Choose *Forgot your password?* on the sign-in page. We’ll email you a link that works once, for 10 minutes.`,
  '만 14세 미만도 가입할 수 있나요?': `Sorry, you have to be at least 14. Please watch children’s classes together, on a parent’s account.`,
  '탈퇴하면 구매한 강의는 어떻게 되나요?': `You can no longer watch them, and this can’t be undone. By law we keep payment records for five years and then delete them.`,
  '워크북을 수업에 써도 되나요?': `They’re free to use for your own study. For schools and groups, please send us an inquiry.`,

  about: `Hangang Academy makes the shortest classes there are. Four people who were sorry never to have finished a long course started it in a small office in Mangwon-dong in the spring of 2023.

## What we believe

- **Watch briefly, do it for long.** A lesson takes 24 seconds, an exercise five minutes.
- **Honest times.** The time shown is the actual time.
- **Learning is in the hands.** Every class has exercises to print.
- **Captions come standard.** You should be able to learn where you can’t turn on the sound.

## Who we are

Painters, data analysts, developers, history teachers, cooks and editors make our classes. Teachers receive half of every sale.

This is a fictional school for demonstration. The company and the people are made up.`,
  terms: `These terms govern the use of the online classes and study materials provided by Hangang Academy Inc. (“we”). They are effective from 1 March 2026. The Korean text is authoritative.

## Article 1 (Members)

Anyone aged 14 or over may sign up. Members keep their passwords safe, may be signed in on three devices and may watch on one at a time.

## Article 2 (Purchase and use)

1. With **lifetime access**, a member may watch the class personally for as long as the account exists.
2. With **30-day access**, a member may watch for 30 days from the first playback, and must start within 30 days of payment.
3. A contract comes about when we confirm the payment, at the price shown at that time.

## Article 3 (What is not allowed)

Classes may not be copied, distributed or publicly shown, and their protection may not be circumvented. Study materials may be printed for personal study.

## Article 4 (Reviews and comments)

Comments are the responsibility of their authors. We may hide comments that are defamatory, advertise or contain personal data. Comments with links are published after a check.

## Article 5 (Withdrawal and refunds)

Withdrawal and refunds follow the Act on Consumer Protection in Electronic Commerce and our refund policy.

## Article 6 (Liability and disputes)

If a class cannot be played on a common device, we repair it or refund the price. Disputes may be brought to the Korea Consumer Agency for mediation.`,
  privacy: `We collect only the personal data we need, and we don’t sell it.

## What we collect

- **Account:** name, email address, password (stored so that it can’t be read back) and, if you choose, phone number and address
- **Orders:** classes bought, amount and time of payment. Our payment provider keeps card numbers, we don’t have them.
- **Watching:** where you stopped, so that you can continue
- **Access:** network address and kind of browser, to prevent abuse

## How long we keep it

Account data is deleted as soon as you delete your account. By law, records of contracts and payments are kept for five years, records of complaints for three years and access logs for three months.

## Your rights

You can view, correct, download and delete your data at any time in *Your account › Profile*, or write to privacy@hangang.example.

## Cookies

We use three cookies: for signing in, for the language and for the cart. None is used for advertising.

## Privacy officer

Jiwoo Han · 02-0000-0000 · privacy@hangang.example`,
  refund: `You can get a refund within **7 days** of payment, no questions asked.

## Classes

If you haven’t watched it, you get the full amount back. Previews and free lessons don’t count. Before you first play a class that can still be refunded, we tell you that watching ends your right to a refund.

## Classes with several lessons

Each lesson is counted separately. If you’ve opened two of five, you get three fifths of the price back.

## Workbooks and files

If you haven’t downloaded it, you get the full amount back.

## 30-day access

Access that hasn’t started can be refunded within 7 days. Access that has started runs until the end of its period.

## How you’re paid

Card payments are usually refunded to your card within 3 working days. Bank transfers are refunded to the account you give us. You can follow the progress and the amounts on your order’s page.

If a class doesn’t play properly, none of these limits apply. Send us an inquiry and we’ll make it right.`,
}
