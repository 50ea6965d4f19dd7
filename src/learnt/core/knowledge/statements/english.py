"""English words that mean about the same, and their opposites, one concept a line.

`name: words | opposites`. A concept of the same name may have words of other languages too. Words
are given in their base form, as they are brought to their stems before they are looked up; those of
several words are joined by a hyphen, which `PHRASES` makes of them.
"""

import re
from typing import Final

CONCEPTS: Final = """
remove: delete remove drop purge erase clear wipe prune discard evict dispose destroy clean scrub \
detach lapse | keep retain preserve leave-in-place
add: add append insert attach
create: create make generate produce build built rebuild rebuilt regenerate made recreate
fail: fail break broke broken crash error abort die dies died hang panic segfault kill explode \
throw failure \
dead trouble issue problem bug exception fault wreck mangle garbage nonsense damage ruin stuck \
collide clash conflict deadlock stutter freeze | succeed success work finish reliable green ok
allow: allow permit accept approve authorize authorise admit let possible available able may pass \
release tolerate free-to | forbid reject deny refuse block prohibit disallow ban decline \
unavailable impossible turn-down off-limits locked-out bar exclude-from hands-off avoid
require: must need require mandatory obligatory necessary compulsory have-to requisite enforce \
demand ask insist | optional unnecessary voluntary needless superfluous without-need
enable: enable activate turn-on start-up active switched-on | disable deactivate turn-off inactive \
shut-off
running: running run-on | stop halt stopped pause paused
support: support handle understand cope recognise recognize
synchronous: sync synchronous synchronously blocking \
| async asynchronous asynchronously nonblocking background enqueue enqueued
ascending: ascending asc ascend ascended | descending desc descend
include: include contain comprise incorporate inclusive cover part-of consist-of count-in \
| exclude omit leave-out skip filter bypass strip
nullable: nullable null nil none-value empty | non-null not-null notnull nonempty
maximum: max maximum most at-most upper limit cap ceiling highest largest biggest top up-to \
longest exceed beyond above over more-than older-than longer-than \
| min minimum least at-least smallest lowest below under less-than fewer-than younger-than
first: first initial begin beginning start earliest | last final end ending
local: local locally onsite | remote remotely
mutable: writable mutable editable changeable modifiable | read-only readonly immutable frozen
public: public visible exposed shown | private secret invisible hidden hide
automatic: automatic automatically auto unattended by-itself on-its-own by-default \
| manual manually by-hand human someone somebody
sensitive: case-sensitive | case-insensitive
unique: unique distinct | duplicate repeated twice several multiple
positive: positive plus credited | negative minus below-zero
increase: increase raise raised grow bump enlarge extend bigger larger rise exceed upgrade \
upgraded \
up higher gain | decrease lower reduce shrink cut smaller shorter fewer shrank downgrade fall fell
round-up: rounded-up round-up | rounded-down round-down
fast: fast quick quickly rapid faster | slow slowly slower
signed: signed | unsigned
encrypted: encrypted encrypt ciphered hashed | plaintext cleartext unencrypted plain
always: always every each all any whatever whole entire entirely everywhere | never none
full: full complete completely everything | partial incremental delta
hot: online | offline
same: same equal identical equivalent match | different differ differing
safe: safe harmless | unsafe dangerous harmful
stable: stable steady | flaky unstable intermittent random
permanent: permanent permanently forever indefinitely | temporary temporarily
valid: valid legal acceptable | invalid illegal stale wrong incorrect meaningless useless pointless
cached: cached cache caching | uncached
known: known documented | unknown undocumented
left: left-side | right-side
horizontal: horizontal horizontally | vertical vertically
global: global globally central | per-user per-session scoped
strict: strict | lax lenient loose
newest: newest latest most-recent current present | oldest
old: old older former legacy earlier previous preceding prior past | new newer recent fresh
after: after afterwards then subsequently later once following
before: before prior-to ahead-of beforehand until
gross: gross | net
free: free gratis free-of-charge at-no-cost complimentary | charged surcharge
clustered: clustered | unclustered
big-endian: big-endian | little-endian
stored: store keep kept hold held hold save persist live reside live lives lie sit write written \
found record
run: run execute launch invoke call perform ran
show: show display print output render appear report
get: get fetch obtain retrieve read pull load receive take
send: send emit deliver dispatch transmit push sent publish
return: return give yield answer respond reply
use: use employ utilise utilize go-through via through usage
set: set configure define specify assign pass placed put
change: change modify alter update edit adjust switch switched amend
fix: fix solve cure repair resolve remedy help helped fixed stop-happening
vanish: vanish disappear gone ended ceased over-with
cause: cause because since due reason come-from come owing stem blame responsible origin-of \
originate account-for hence therefore so | unrelated independent
check: check verify validate inspect compare
see: see view look watch
find: find search lookup query look-up
column: column field attribute property
table: table relation
row: row record entry item
folder: folder directory dir
file: file document
parameter: parameter param argument arg option flag switch-option
value: value content figure
key: key
timeout: timeout time-out
password: password passphrase credential
function: function method routine procedure
job: job task
pipeline: pipeline ci
repository: repository repo checkout
database: database db
environment: environment env
configuration: configuration config setting settings
authentication: authentication auth login signin sign-in
application: application app
administrator: administrator admin
identifier: identifier id
number: number count amount quantity total
email: email e-mail mail
picture: picture image photo
message: message msg notification notify
user: user person people
buyer: buyer purchaser customer shopper consumer
seller: seller vendor merchant
purchase: purchase buy bought
refund: refund reimburse credit
size: size length
period: period interval frequency
wait: wait sleep
restart: restart reboot relaunch
reset: reset
deploy: deploy rollout roll-out ship
rollback: rollback revert undo
cancel: cancel cancellation
copy: copy replica clone replicate
source: source origin
transform: convert transform translate conversion
split: split divide separate
join: join merge combine concatenate link
lock: lock locked
expire: expire expiry expiration lapse lifetime ttl outdated
memory: memory ram oom out-of-memory
disk: disk storage drive
network: network net
host: host machine node box
server: server backend
client: client frontend browser
container: container pod
library: library lib
dependency: dependency package
version: version
request: request
money: money price cost fee charge pay paid tariff
bear: bear borne
child: child children kid
day: day daily
week: week weekly
month: month monthly
year: year yearly annual annually
hour: hour hourly
night: night nightly overnight
encode: encode code coded encoding
part: part partition segment shard section
sort: sort sorted sorting
apply: take-effect effective effect apply applies
own: own owner belong owned belongs
mean: mean stand-for denote indicate signify represent
compute: compute calculate evaluate sum add-up
refer: refer reference point
miss: missing lack absent lacking
quote: quote quoted
overwrite: overwrite overwritten override replace supersede
ignore: ignore disregard
share: share shared
happen: happen occur
move: move migrate shift transfer
collect: collect gather
monitor: monitor observe
big: big large huge
small: small little tiny
exclusive: only solely exclusively merely just sole alone nothing-but reserved limited restricted \
dedicated
also: also too as-well additionally likewise even still
anyone: anyone everyone everybody anybody regular
about: about around roughly approximately nearly almost close some circa
request-refused: 503 unavailable-code
colour: colour color
organisation: organisation organization
licence: licence license
wasm: wasm webassembly
kubernetes: kubernetes k8s
postgres: postgres postgresql pg
elasticsearch: elasticsearch es
javascript: javascript js
typescript: typescript ts
python: python py
development: development dev
production: production prod
number-of-times: times once
soft-delete: soft soft-deleted logical | hard physical physically for-real
immediate: immediate immediately instantly at-once directly promptly straight same-day \
| delayed later deferred eventually queued lag lagging
limitless: limitless unlimited uncapped unbounded unrestricted | capped bounded
in-place: in-place | from-scratch
stateful: stateful | stateless
inside: inside within | outside
external: external outward third-party | internal in-house
parallel: parallel concurrent concurrently simultaneously | serial sequential sequentially \
one-at-a-time
streaming: streaming realtime real-time | batch batched
dynamic: dynamic dynamically | static hard-coded hardcoded fixed
paid: prepaid in-advance-paid | postpaid in-arrears
even: even-numbered | odd
optimistic: optimistic | pessimistic
ordered: ordered in-order | unordered out-of-order
tracked: tracked committed commit check-in | untracked gitignored uncommitted gitignore
changeable: changeable editable | immutable frozen final-state
pull: polled polling | pushed
deep: deep | shallow
recoverable: recoverable restorable | irreversible unrecoverable
per-project: per-project own-file | shared-by-all central
consecutive: consecutive monotonic increasing increment | random decreasing decrement
inherited: inherit inherited | overridden
expires: expires lapses | perpetual unexpiring
weekend: weekend weekends | weekdays
daytime: daytime | overnight
root-cause: root
connect: connect connection
subscribe: subscribe subscriber subscription
parse: parse read-as interpret
exist: exist exists existence there
finish: done completed
begin: begins
advance: in-advance
customer-service: support-team helpdesk
vehicle: vehicle car
parcel: parcel package-delivery
trip: trip ride tour journey
drive: driver courier rider
warehouse: warehouse depot
invoice: invoice bill billing billed
room: room
doctor: doctor physician clinician
document: docs documentation
test: test testing tests
measure: measure measurement reading
device: device unit gadget
type: type kind sort-of
index: index indices indexed
lead: lead
location: location place position
time-zone: timezone time-zone
summary: summary overview
truncate: truncate cut-off shorten clip trim truncated
anonymise: anonymise anonymize redact mask obfuscate pseudonymise
schedule: schedule scheduled cron timer timetable
alert: alert warn warning ping alarm
register: register registered enrol enroll sign-up
assign: allocate hand-out attribute-to
reserve: book blocked booking reservation reserved-for
discount: discount rebate coupon voucher
tax: tax vat duty
employee: employee staff worker colleague
supplier: supplier manufacturer
contract: contract agreement
delivery: delivery shipment shipping
ticket: ticket case
average: average avg
chart: graph chart diagram plot
label: label tag
url: url link hyperlink
page: page paging pagination paginate
journal: log logs logging logged
queue: queue backlog
deprecated: deprecated obsolete
reuse: reuse recycle
credential: token secret
disconnect: disconnect disconnected unplug unplugged
temperature: temperature temp
mobile: phone mobile smartphone cellphone
screen: screen monitor display-unit
website: website site webpage
staging-area: landing-zone
teacher: teacher lecturer tutor
patient: patient
stock: stock inventory
flight: flight plane aircraft air airplane
road: road lorry truck
goods: goods merchandise product
salary: salary wage payroll
deadline: deadline due-date cut-off-date
address: address
certificate: certificate cert
namespace: namespace ns
compile: compile compilation compiled
trigger: trigger fire
duplicate-entry: dupe
weekend-day: saturday-sunday
"""

PHRASES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), made)
    for pattern, made in (
        (r"\bround(?:ed|s|ing)? up\b", "round-up"),
        (r"\bround(?:ed|s|ing)? down\b", "round-down"),
        (r"\b(?:each|every|per) (?:day|night)\b", "daily"),
        (r"\b(?:each|every|per) (week|month|quarter|year)\b", r"\1ly"),
        (r"\b(?:ruled|phased) out\b|\bscrapped\b|\babandoned\b", "disabled"),
        (r"\b(?:turn|switch)(?:ed|s|ing|es)?(?: \w+)? on\b", "turn-on"),
        (r"\b(?:turn|switch|shut)(?:ed|s|ing|es|t?ing)?(?: \w+)? (?:off|down)\b", "turn-off"),
        (r"\b(be|is|are|was|stays?|remains?|keep|has to be) on(?=[ ,.;:]*$|[,.;:]|"
         r" (?:for|by|and|while|when|in|on)\b)", r"\1 turn-on"),
        (r"\b(?:be|is|are|was|stays?|remains?|keep) off(?!-)\b", "turn-off"),
        (r"\b(?:engine|motor) (?:off|not running)\b", "turn-off"),
        (r"\bturn(?:ed|s|ing)? down\b", "turn-down"),
        (r"\bno longer\b|\bnot any ?(?:more|longer)\b|\bstopp?(?:ed|s)? (?=\w+ing\b)", "not "),
        (r"\bany ?more\b|\bat all\b|\bin (?:fact|total|all)\b|\bmake sure\b", " "),
        (r"\bno (?:more|later|longer|older|bigger|larger|higher|greater) than\b", "at-most"),
        (r"\bnot (?:more|later|longer|older|exceed)\b|(?<!-)\bup to\b|\bat (?:the )?most\b",
         "at-most"),
        (r"\bno (?:less|fewer|earlier) than\b|\bat (?:the )?least\b|\bor more\b|\bor newer\b",
         "at-least"),
        (r"\bno matter\b|\bregardless of\b|\birrespective of\b", "whatever"),
        (r"\bnothing but\b|\bnone but\b", "nothing-but"),
        (r"\bnot only\b|\bnot just\b|\bno wonder\b|\bno matter\b|\bwhy not\b", " "),
        (r"\b(?:has|have|had|got|needs?) to\b|\bis to be\b|\bare to be\b", "have-to"),
        (r"\b(?:comes?|came|coming|results?|resulted|stem(?:s|med)?) (?:about )?from\b|\bdue to\b"
         r"|\bbecause of\b|\bowing to\b|\bthanks to\b|\bon account of\b|\b(?:was|were) down to\b",
         "come-from"),
        (r"\bhas nothing to do with\b|\bhad nothing to do with\b|\bno relation to\b"
         r"|\bnot involved\b|\bno (?:influence|effect|impact)\b|\bplay(?:s|ed) no (?:part|role)\b",
         "unrelated"),
        (r"\b(?:leave|leaves|leaving|left) out\b|\bcount(?:ed|s)? out\b", "leave-out"),
        (r"\bcheck(?:ed|ing|s)? in(?:to)?\b", "check-in"),
        (r"\btak(?:e|es|ing) effect\b|\btook effect\b", "take-effect"),
        (r"\bstands? for\b|\bshort for\b", "stand-for"),
        (r"\bby hand\b", "by-hand"),
        (r"\bon (?:its|their) own\b|\bby itself\b|\bby themselves\b", "by-itself"),
        (r"\bout of memory\b", "out-of-memory"),
        (r"\bat once\b|\bright away\b|\bstraight away\b", "immediately"),
        (r"\bas soon as\b|\bas long as\b|\bprovided(?: that)?\b|\bonce\b(?! (?:a|per|every|in)\b)",
         "if"),
        (r"\bmade up of\b|\bconsists? of\b|\bcomposed of\b", "consist-of"),
        (r"\bbelow zero\b", "negative"),
        (r"\bfree of charge\b|\bat no (?:cost|charge)\b|\bfor free\b", "gratis"),
        (r"\bmost recent\b", "latest"),
        (r"\b(for|after|within) an? (second|minute|hour|day|week|month|year)\b", r"\1 1 \2"),
        (r"\boff[- ]limits\b", "forbid"),
        (r"\bhands off\b|\bdon't touch\b|\bkeep away from\b", "never"),
        (r"\btime[- ]zones?\b", "timezone"),
        (r"\bread[- ]only\b", "readonly"),
        (r"\bnot[- ]null\b", "notnull"),
        (r"\bshared? (?:with|by)\b", "share"),
        (r"\bprior to\b|\bahead of\b", "before"),
        (r"\bthe other way round\b|\bthe wrong way round\b", "otherwise"),
        (r"\bor else\b|\bif not\b|\bor it\b", "otherwise"),
        (r"\binstead of\b|\brather than\b|\bas opposed to\b", ", not"),
        (r"\b(?:left|leave|leaves|leaving) alone\b", "ignore"),
    )
)  # fmt: skip
NEGATORS: Final = frozenset(
    """
    not no never cannot can't won't isn't aren't doesn't don't didn't wasn't weren't hasn't haven't
    hadn't mustn't shouldn't wouldn't couldn't needn't neither nor none nothing nobody nowhere
    hardly ain't without
    """.split()
)
CONDITIONS: Final = frozenset("unless otherwise else".split())
BOUNDS: Final = frozenset(
    "but and or because since while whereas so although though if as where when which that".split()
)
# Words that tell little of what a statement is about: they may differ between two that agree.
LIGHT: Final = frozenset(
    """
    already actually really quite rather simply usually normally currently today somehow
    whenever whoever someone everyone please note careful beware remember always often mostly
    ever even else extra further additional certain given particular respective such same other
    another own instead hence thus therefore moreover otherwise yet anyway case way thing lot kind
    sort bit side part end point time times day today place fact reason result effect
    come came go goes went gone get got give gave take took make made put keep kept let leave left
    bring need want try happen turn become became remain stay seem look appear work help deal
    carry belong end begin start stop finish follow lead cause do does did done have had has been
    be being can could will would shall should may might must via per upon across within among
    between onto toward behind beyond instead along both either neither whole entire full several
    many much few more most less least enough only just merely simply also too again once twice
    now then there here so as well like since until while during if whether because though although
    means mean say said tell told known called named reported real true correct right wrong good bad
    our my your their its his her we you they it he she us them everything anything something
    exactly roughly approximately nearly about around some any each every all none
    """.split()
)
NUMBER_WORDS: Final = {
    "zero": 0.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0,
    "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0,
    "thirteen": 13.0, "fourteen": 14.0, "fifteen": 15.0, "sixteen": 16.0, "eighteen": 18.0,
    "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0,
    "hundred": 100.0, "thousand": 1000.0, "dozen": 12.0, "half": 0.5, "quarter": 0.25,
    "single": 1.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0, "sixth": 6.0, "seventh": 7.0,
}  # fmt: skip
