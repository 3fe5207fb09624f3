"""Words that look like identifiers and are none, for telling them apart in answers."""

_SMALL = """
able ahead all and any as at auto aware back balanced based before behind being best bound built but by centric co
consuming cross current deep dependent double down driven due each early ever fault few first five follow for four free
friendly full further get good grained half hand hard heavy high hoc how if in intensive inter intra is it known large
last late least less level like limited lived long loss low made many mid more most much multi near new no non not of
off old on once one only open or other out over own part per planned point post pre prone quasi quick quo ran re read
ready real recent related replicated rich right robin run running safe second self semi short side sided single sized
slow so solid specific step still sub such super sync than the then there third this three through tier to tolerant too
top two ultra un under up use used via wait way week well wide wise with worst write zero
"""

_EVERYDAY = """
a.m e.g i.e p.m u.s a/b and/or i/o n/a 24/7 yes/no on/off read/write pass/fail up/down in/out start/stop he/she s/he
input/output client/server true/false ci/cd tcp/ip k8s s3 ec2 ipv4 ipv6 http2 http/2 utf-8 utf8 base64 sha256 md5 x86
oauth2 log4j grpc github gitlab javascript typescript postgresql mysql mongodb graphql openshift devops promql logql
traceql zookeeper rabbitmq pagerduty node.js configmap configmaps statefulset statefulsets daemonset daemonsets
replicaset replicasets cronjob cronjobs clickhouse
"""

SMALL_WORDS = frozenset(_SMALL.split())
"""Parts that mark a word with hyphens as English: `up-to-date`, `read-only`, `under-replicated`."""

EVERYDAY = frozenset(_EVERYDAY.split())
"""Abbreviations, alternatives, and names that everybody in operations uses without having looked them up."""
