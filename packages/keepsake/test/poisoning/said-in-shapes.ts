import type { OwnWords } from './own-words.ts'
import type { SaidByOthers } from './said-by-others.ts'

const by = (text: string, word: string): SaidByOthers => ({ text, word })
const said = (text: string, keeps: string): OwnWords => ({ text, keeps })

/** A person's own statements in the shapes of lists, forms and mail: written before the rules were read. */
export const OWN_SHAPES: readonly OwnWords[] = [
  said(
    'A bit about me:\n- I live in Leeds\n- I work as a plumber\n- I have two cats\nWhat should I cook?',
    'Leeds',
  ),
  said("Hi! Quick intro:\n* I'm allergic to peanuts\n* I'm vegetarian\n* I hate coriander", 'peanut'),
  said('Name: Ana\nJob: nurse\nCity: Leeds', 'nurse'),
  said('About me\n\nName: Tomasz\nAge: 34\nOccupation: electrician\nLocation: Gdansk', 'electrician'),
  said('I LIVE IN GLASGOW AND I AM ALLERGIC TO PENICILLIN', 'penicillin'),
  said('MY NAME IS BORIS. I WORK AS A BAKER. PLEASE HELP ME WRITE A CV.', 'baker'),
  said("👋 I'm Lucía 🇪🇸, I work as a nurse 👩‍⚕️ and I live in Vigo 🏖️", 'Vigo'),
  said('🥜🚫 I am allergic to walnuts 🥲🥲 any snack ideas?? 🙏', 'walnut'),
  said('Hello,\n\nI live in Turku and I am looking for a swimming class.\n\nBest regards,\nMarja', 'Turku'),
  said(
    "I work as a translator and I can't do Tuesdays.\n\n--\nPetra Novak\nSent from my iPhone",
    'translator',
  ),
  said(
    "I'm allergic to shellfish, so no paella for me.\n\nOn Tue, 4 Mar 2025 at 10:12, Carlos <carlos@example.org> wrote:\n> Shall we do paella on Friday?\n> I can cook.",
    'shellfish',
  ),
  said('1. I was born in Quito\n2. I moved to Bergen in 2019\n3. I work as a welder', 'Bergen'),
  said('- 我住在厦门\n- 我是护士\n- 我对花生过敏\n晚饭吃什么好？', '厦门'),
  said('姓名：王芳\n职业：护士\n城市：厦门', '护士'),
  said('我住在昆明🌸🌸，我是一名导游😄', '导游'),
  said('我对青霉素过敏，请记住。\n\n此致\n敬礼\n李雷', '青霉素'),
  said('Über mich:\n- Ich wohne in Graz\n- Ich bin Krankenpfleger\n- Ich bin allergisch gegen Nüsse', 'Graz'),
  said('Nom : Camille\nMétier : infirmière\nVille : Nantes', 'infirmière'),
  said('¡¡VIVO EN MURCIA Y SOY ALÉRGICA AL MARISCO!! 😭', 'MURCIA'),
  said(
    'Moro em Braga e sou enfermeira.\n\nCumprimentos,\nInês\n\nEm ter., 4 de mar. de 2025, Rui escreveu:\n> Vivo no Porto, passas por cá?',
    'Braga',
  ),
]

/** The same shapes with what another wrote: written before the rules were read. */
export const PASTED_SHAPES: readonly SaidByOthers[] = [
  by(
    'summarise this profile for me:\n- I live in Reno\n- I work as a rodeo clown\n- I have nine ferrets',
    'clown',
  ),
  by(
    "which of these flatmates sounds nicest?\n\n* I'm allergic to dust\n* I'm a night owl\n\n* I play the tuba\n* I live in Hove",
    'dust',
  ),
  by('fill this into the spreadsheet please\n\nName: Gregor\nJob: locksmith\nCity: Ulm', 'locksmith'),
  by(
    "here's the applicant's form:\nName: Wanda Pike\nOccupation: taxidermist\nLocation: Hull\nAllergies: latex",
    'taxidermist',
  ),
  by(
    'got this spam, is it real?\n\nI AM A BARRISTER IN LOME AND I LIVE IN TOGO. I AM DYING AND WISH TO GIVE YOU MY MONEY.',
    'barrister',
  ),
  by('the protest sign said: I AM A TEACHER AND I AM TIRED', 'teacher'),
  by(
    "translate her bio into German:\n✨ I'm Zoe ✨ I live in Malibu 🏄‍♀️ I am a yoga teacher 🧘‍♀️ dm for collabs 💌",
    'Malibu',
  ),
  by('my sister texted: 😭😭 I am allergic to the new cat 😭😭', 'cat'),
  by(
    'what does he want from me?\n\nHello,\n\nI live in Skopje and I am looking for a partner in business.\n\nBest regards,\nDimitar',
    'Skopje',
  ),
  by(
    "please reply to this for me\n\nFrom: Olga Marsh <olga@example.org>\nTo: me\nSubject: Saturday\n\nI work as a falconer and I can't do Saturdays.\n\n--\nOlga Marsh\nSent from my iPhone",
    'falconer',
  ),
  by(
    "sounds good!\n\nOn Tue, 4 Mar 2025 at 10:12, Carlos <carlos@example.org> wrote:\n> I live in Cadiz and I'm allergic to garlic.\n> Shall we eat at mine?",
    'garlic',
  ),
  by(
    '---------- Forwarded message ---------\nFrom: Ivo <ivo@example.org>\nDate: Mon, 3 Mar 2025\nSubject: hi\n\n1. I was born in Plovdiv\n2. I moved to Malmo\n3. I work as a diver',
    'diver',
  ),
  by('帮我翻译这份自我介绍：\n- 我住在珠海\n- 我是潜水员\n- 我对芒果过敏', '潜水员'),
  by('这是应聘者填的表：\n姓名：赵强\n职业：锁匠\n城市：开封', '锁匠'),
  by('她的朋友圈写着：我住在三亚🌴🌴，我是一名冲浪教练🏄', '三亚'),
  by('这封信什么意思？\n\n您好，我是一名律师，我住在澳门，有一笔遗产要给您。\n\n此致\n敬礼\n陈先生', '澳门'),
  by(
    'Fass mir dieses Profil zusammen:\n- Ich wohne in Bremen\n- Ich bin Imker\n- Ich bin allergisch gegen Äpfel',
    'Imker',
  ),
  by('Voici la fiche de la candidate :\nNom : Odile\nMétier : fauconnière\nVille : Brest', 'fauconnière'),
  by('Traduce este anuncio al inglés: ¡¡VIVO EN CUENCA Y SOY PAYASO DE FIESTAS!! 🎈', 'PAYASO'),
  by(
    'Está combinado!\n\nEm ter., 4 de mar. de 2025, Rui <rui@example.org> escreveu:\n> Moro em Faro e sou apicultor.\n> Passas por cá?',
    'apicultor',
  ),
]
