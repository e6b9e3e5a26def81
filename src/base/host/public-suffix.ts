// Names directly under which strangers get names of their own, so that `*.` in front of one would mean everybody.

const COUNTRY_SECOND_LEVEL: Readonly<Record<string, string>> = {
  ar: 'com edu gob gov int mil net org',
  at: 'ac co gv or',
  au: 'asn com edu gov id net org',
  bd: 'ac com edu gov net org',
  br: 'adv art blog com dev eco edu eng gov ind inf jus leg mil net org',
  cn: 'ac com edu gov mil net org',
  co: 'com edu gov mil net nom org',
  cr: 'ac co ed fi go or',
  cy: 'ac com gov net org',
  ec: 'com edu fin gob gov net org',
  eg: 'com edu eun gov net org sci',
  es: 'com edu gob nom org',
  fr: 'asso com gouv nom prd tm',
  gr: 'com edu gov net org',
  hk: 'com edu gov idv net org',
  hu: 'co info org priv tm',
  id: 'ac co desa go my net or sch web',
  il: 'ac co gov idf k12 muni net org',
  in: 'ac co edu firm gen gov ind mil net nic org res',
  ir: 'ac co gov id net org sch',
  it: 'edu gov',
  jp: 'ac ad co ed go gr lg ne or',
  ke: 'ac co go info me ne or sc',
  kr: 'ac co es go hs kg mil ms ne or pe re sc',
  lk: 'ac com edu gov net org sch',
  mx: 'com edu gob net org',
  my: 'com edu gov mil name net org',
  ng: 'com edu gov i mil mobi name net org sch',
  no: 'gs mil stat',
  np: 'com edu gov mil net org',
  nz: 'ac co cri geek gen govt health iwi kiwi maori mil net org school',
  pe: 'com edu gob mil net nom org',
  ph: 'com edu gov i mil net ngo org',
  pk: 'com edu fam gob gok gon gop gos gov net org web',
  pl: 'biz com edu gov info net org waw',
  pt: 'com edu gov int net nome org publ',
  ro: 'arts com firm info nom org rec store tm www',
  rs: 'ac co edu gov in org',
  ru: 'ac com edu gov int mil msk net org pp spb',
  sa: 'com edu gov med net org pub sch',
  sg: 'com edu gov net org per',
  th: 'ac co go in mi net or',
  tr: 'av bbs bel biz com dr edu gen gov info k12 mil name net org pol tel tv web',
  tw: 'club com ebiz edu game gov idv mil net org',
  tz: 'ac co go hotel info me mil mobi ne or sc tv',
  ua: 'co com edu gov in kiev kyiv lviv net org',
  uk: 'ac co gov ltd me net nhs org plc police sch',
  us: 'dni fed isa kids nsn',
  uy: 'com edu gub mil net org',
  ve: 'co com edu gob info mil net org web',
  vn: 'ac biz com edu gov health info int name net org pro',
  za: 'ac agric alt co edu gov grondar law mil net ngo nis nom org school tm web',
};

/** Hosting, tunnels, object stores, dynamic names, and names that stand for whatever address they spell. */
const SHARED = `
  appspot.com web.app firebaseapp.com run.app cloudfunctions.net storage.googleapis.com
  googleusercontent.com usercontent.goog translate.goog withgoogle.com blogspot.com codespot.com
  amazonaws.com s3.amazonaws.com elb.amazonaws.com execute-api.us-east-1.amazonaws.com compute.amazonaws.com
  compute-1.amazonaws.com us-east-1.amazonaws.com us-west-2.amazonaws.com eu-west-1.amazonaws.com
  eu-central-1.amazonaws.com cloudfront.net elasticbeanstalk.com awsapprunner.com amplifyapp.com on.aws awsglobalaccelerator.com
  azurewebsites.net azurestaticapps.net azureedge.net azurefd.net cloudapp.net cloudapp.azure.com trafficmanager.net
  blob.core.windows.net file.core.windows.net web.core.windows.net core.windows.net azure-api.net azurecontainer.io
  azurecontainerapps.io database.windows.net servicebus.windows.net azure-mobile.net
  github.io githubusercontent.com githubpreview.dev github.dev app.github.dev gitlab.io bitbucket.io pages.dev workers.dev
  r2.dev cloudflareaccess.com trycloudflare.com cdn.cloudflare.net netlify.app vercel.app vercel.dev now.sh
  herokuapp.com herokussl.com fly.dev onrender.com railway.app up.railway.app surge.sh deno.dev
  glitch.me repl.co replit.app replit.dev stackblitz.io webcontainer.io csb.app codesandbox.io gitpod.io
  hf.space streamlit.app gradio.live modal.run ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev loca.lt
  localtunnel.me serveo.net localhost.run lhr.life pagekite.me telebit.io tailscale.net ts.net beebyte.io
  digitaloceanspaces.com ondigitalocean.app linodeobjects.com vultrobjects.com backblazeb2.com
  wasabisys.com scw.cloud ovh.net oraclecloud.com oraclecloudapps.com myqcloud.com aliyuncs.com oss-cn-hangzhou.aliyuncs.com
  vercel-dns.com fastly.net fastlylb.net freetls.fastly.net global.ssl.fastly.net akamai.net akamaized.net akamaihd.net
  edgekey.net edgesuite.net b-cdn.net kxcdn.com netdna-cdn.com
  nip.io sslip.io xip.io lvh.me localtest.me vcap.me traefik.me 1u.ms rbndr.us
  duckdns.org dyndns.org dynu.net no-ip.org no-ip.com noip.me ddns.net hopto.org zapto.org sytes.net myftp.org servehttp.com
  freeddns.org dynv6.net afraid.org mooo.com myddns.me synology.me myqnapcloud.com mydatto.com
  wordpress.com wixsite.com squarespace.com webflow.io weebly.com tumblr.com medium.com substack.com notion.site ghost.io
  myshopify.com carrd.co bubbleapps.io readthedocs.io rtfd.io neocities.org tilda.ws strikingly.com jimdo.com
  pipedream.net m.pipedream.net webhook.site requestbin.net oastify.com oast.fun oast.pro oast.live oast.site oast.me oast.online
  interact.sh burpcollaborator.net canarytokens.com dnslog.cn ceye.io
  supabase.co supabase.in firebaseio.com mongodb.net cloudant.com pantheonsite.io platform.sh platformsh.site
  eu.org us.com uk.com eu.com de.com br.com cn.com jpn.com ru.com sa.com za.com co.com uk.net gb.net se.net in.net
  in-addr.arpa ip6.arpa
`;

/** Every name with one label in front of these is a suffix itself. */
const BELOW_ANY = new Set('bd ck er fk jm kh mm np pg compute.amazonaws.com elb.amazonaws.com'.split(' '));

const SUFFIXES = new Set([
  ...Object.entries(COUNTRY_SECOND_LEVEL).flatMap(([country, seconds]) =>
    seconds.split(' ').map((second) => `${second}.${country}`),
  ),
  ...SHARED.trim().split(/\s+/),
]);

/** The name is canonical: lower case, ASCII, without a dot at its end. */
export function isPublicSuffix(name: string): boolean {
  const dot = name.indexOf('.');
  return dot < 0 || SUFFIXES.has(name) || BELOW_ANY.has(name) || BELOW_ANY.has(name.slice(dot + 1));
}
